// The files of a record as previews: pictures are shown, and the rest are listed by name and size.
import { html } from "hono/html";
import { sizeWords } from "../dashboard/explore/values.ts";
import { type RecordFile, recordFiles } from "../dashboard/record-files.ts";
import type { Html } from "../layout.ts";
import type { KindItem } from "./item.ts";

export const filesOf = ({ connection_id, data }: KindItem): RecordFile[] => recordFiles(connection_id, data, []);

/** Returns the first picture among the fields with these roles. */
export function pictureOf(item: KindItem, ...roles: string[]): RecordFile | undefined {
  for (const role of roles) {
    const found = filesIn(item, role).find(({ picture }) => picture);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the video that a photo record may contain. */
export const videoOf = (item: KindItem): RecordFile | undefined => filesIn(item, "picture").find(({ video }) => video);

function filesIn(item: KindItem, role: string): RecordFile[] {
  const held = Object.fromEntries((item.roles[role] ?? []).map((name) => [name, item.data[name] ?? null]));
  return recordFiles(item.connection_id, held, []);
}

export function fileList(files: readonly RecordFile[]): Html | "" {
  if (files.length === 0) return "";
  return html`<ul class="previews">${files.map(({ name, type, bytes, href, picture }) =>
    picture
      ? html`<li class="preview"><a href="${href}"><img src="${href}" alt="${name}" width="200" height="150" loading="lazy" decoding="async"></a><span class="note"><bdi>${name}</bdi></span></li>`
      : html`<li class="preview file"><a href="${href}" download><bdi>${name}</bdi></a><span class="note"><bdi>${type}</bdi>, ${sizeWords(bytes)}</span></li>`,
  )}</ul>`;
}
