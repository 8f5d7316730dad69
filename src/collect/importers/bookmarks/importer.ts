// Browser bookmarks: the HTML file that every browser exports. Also the example in docs/build/writing-an-importer.md.

import { declareSource, field, recordSchema } from "../../../core/declare.ts";
import { type Entry, linesOf } from "../../entry.ts";
import { entriesFrom, type FoundRecord, type ImportContext, type ImportEvent, type Importer } from "../../importer.ts";
import { estimateItems } from "../estimates.ts";

const declaration = declareSource("bookmarks", "Bookmarks", [
  {
    name: "bookmarks",
    description: "Pages that were bookmarked in a browser.",
    display: { label: "Bookmarks", detail: "Pages you bookmarked, with their folders" },
    kind: "bookmark",
    roles: { url: "url", title: "title", folder: "folder" },
    schema: recordSchema("Bookmark", {
      id: field.text("Id", "Derived from the address and the folder."),
      url: field.text("Address", "Web address of the page."),
      title: field.text("Title", "Title of the bookmark."),
      folder: field.text("Folder", "Names of its folders, separated by /."),
      added_at: field.instant("Added", "When you added it."),
    }),
    time: "added_at",
    search: ["title", "url"],
    aggregations: { group_by: ["folder"] },
  },
]);

const LINK = /<A\s((?:[^"<>]|"[^"]*")*)>((?:(?!<A\s).)*?)<\/A>/gi;
const SIGNS: Record<string, string> = { lt: "<", gt: ">", quot: '"', amp: "&", "#39": "'" };
const plain = (html: string): string =>
  html.replace(/<[^>]*>/g, "").replace(/&(lt|gt|quot|amp|#39);/g, (_all, name: string) => SIGNS[name]!);

async function* linksIn(entry: Entry, { makeId }: ImportContext): AsyncGenerator<ImportEvent> {
  const folders: string[] = [];
  for await (const { bytes, offset } of linesOf(entry)) {
    const line = bytes.toString("utf8");
    const heading = /<H3[^>]*>([^<]*)<\/H3>/i.exec(line)?.[1];
    if (heading !== undefined) folders.push(plain(heading));
    if (/<\/DL>/i.test(line)) folders.pop();
    const links = [...line.matchAll(LINK)];
    if (links.length < line.split(/<A\s/i).length - 1)
      yield { kind: "error", entry, offset, message: "a link that does not end on the same line" };
    for (const [, attributes, name] of links) {
      const [url, folder] = [plain(/HREF="([^"]*)"/i.exec(attributes!)?.[1] ?? ""), folders.join("/")];
      if (!URL.canParse(url)) {
        yield { kind: "skip", entry, offset, reason: "its address is not a web address" };
        continue;
      }
      const added = Number(/ADD_DATE="(\d{1,10})"/i.exec(attributes!)?.[1] ?? 0);
      const added_at = new Date(added * 1000).toISOString();
      const key = makeId(`${folder}/${url}`.slice(0, 1500));
      const data = { id: key, url, title: plain(name!), folder, ...(added === 0 ? {} : { added_at }) };
      yield { kind: "record", stream: "bookmarks", key, data, entry, offset };
    }
  }
}

const rankOf = ({ data }: FoundRecord): string => `${data.added_at ?? ""} ${data.title}`;

export const bookmarksImporter: Importer = {
  name: "bookmarks",
  title: "Bookmarks from any browser (HTML)",
  from: ["Your browser: bookmark manager → Export bookmarks"],
  recognise: ({ head }) =>
    Buffer.from(head).toString("latin1").includes("NETSCAPE-Bookmark-file-1")
      ? { score: 95, reason: "browser bookmarks" }
      : undefined,
  plan: async ({ entries }) => ({
    account: { key: "bookmarks", name: "Bookmarks" },
    declaration,
    streams: [{ stream: "bookmarks", ...(await estimateItems(entries, /<A\s[^>]*HREF=/gi)) }],
  }),
  async *run(input, context) {
    // Two files can contain the same bookmark with different titles. The newest wins, whichever file comes first.
    const ranks = new Map<unknown, string>();
    for (const entry of input.entries)
      for await (const event of linksIn(entry, context))
        if (event.kind === "record" && rankOf(event) > (ranks.get(event.key) ?? ""))
          ranks.set(event.key, rankOf(event));
    for (const { entry } of entriesFrom(input, context)) {
      for await (const event of linksIn(entry, context)) {
        const isOlder = event.kind === "record" && ranks.get(event.key) !== rankOf(event);
        yield isOlder ? { kind: "skip", entry, reason: "a newer copy of this bookmark was imported instead" } : event;
      }
      yield { kind: "checkpoint", entry };
    }
  },
};
