// Pictures and files next to the JSON of a Facebook or Instagram download, found by their address in the JSON.
import type { Entry } from "../entry.ts";
import type { ImportContext, ImportEvent } from "../importer.ts";
import { attachedFile, nameOf } from "./attached-file.ts";
import type { ChatAttachment } from "./chat-streams.ts";

/**
 * Addresses are relative to the download's root, whose name has changed over the years. The paths below these folders
 * have not.
 */
const TOP = new Set(["messages", "posts", "photos_and_videos", "media", "stories", "comments", "groups"]);

function mediaKey(path: string): string {
  const parts = path.split("/");
  const top = parts.findIndex((part) => TOP.has(part));
  return top === -1 ? path : parts.slice(top).join("/");
}

export const isMetaMedia = ({ path }: Pick<Entry, "path">): boolean => !/\.json$/i.test(path);

export interface MetaMedia {
  find(uri: string): Entry | undefined;
  /** Files that no record refers to. */
  unused(): Entry[];
}

export function createMetaMedia(entries: readonly Entry[]): MetaMedia {
  const files = new Map(entries.filter(isMetaMedia).map((entry) => [mediaKey(entry.path), entry]));
  const used = new Set<Entry>();
  return {
    find(uri) {
      const entry = files.get(mediaKey(uri));
      if (entry !== undefined) used.add(entry);
      return entry;
    },
    unused: () => [...files.values()].filter((entry) => !used.has(entry)),
  };
}

/** Returns a file that the JSON refers to: as a blob if the download contains it, otherwise by its name or address. */
export async function* attachmentOf(
  uri: string,
  media: MetaMedia,
  context: ImportContext,
): AsyncGenerator<ImportEvent, ChatAttachment> {
  if (/^https?:/.test(uri)) return { url: uri };
  const entry = media.find(uri);
  const kept = entry === undefined ? undefined : await attachedFile(entry, context);
  if (kept !== undefined && "left" in kept) yield kept.left;
  return { name: nameOf(uri), ...(kept !== undefined && "blob" in kept ? { blob: kept.blob } : {}) };
}
