// pdpp files cd, ls, du, largest: browse an index the way a shell browses a disk.
import { type FileNode, NOT_READ } from "../../../contract/files.ts";
import { cd as changeDirectory } from "../../../files/shell/navigate.ts";
import { type CommandContext, oneOf, UsageError, wholeNumber } from "../command.ts";
import { printable } from "../printable.ts";
import { bytes, count } from "../table.ts";
import { filesJson } from "./json.ts";
import { named, ownerCall, placeAt, withLens } from "./lens.ts";

const LISTED = 1000;
const NAME_SHOWN = 4096;

export async function cd(context: CommandContext, [path, ...rest]: string[]): Promise<number> {
  if (path === undefined || rest.length > 0) throw new UsageError("specify one directory: pdpp files cd PATH");
  return withLens(context, async (lens) => {
    const call = ownerCall(lens, "cd");
    const found = await call.run("navigate", async () => changeDirectory(call, { path: await named(call, path) }));
    context.out(context.json ? filesJson(found) : printable(found.cwd, NAME_SHOWN));
    if (found.hint !== undefined && !context.json) context.note(`Not indexed yet. Next: pdpp files index ${found.cwd}`);
    return 0;
  });
}

export async function ls(context: CommandContext, [path, ...rest]: string[]): Promise<number> {
  if (rest.length > 0) throw new UsageError(`unexpected argument ${JSON.stringify(rest[0])}`);
  const order = oneOf(context.values, "sort", ["name", "size", "time"] as const) ?? "name";
  const limit = wholeNumber(context.values, "limit", 1) ?? LISTED;
  return withLens(context, async (lens) => {
    const call = ownerCall(lens, "ls");
    const found = await call.run("navigate", async () => {
      const { root, index, node } = await placeAt(call, path);
      // Like ls, list a file as a single entry.
      const listing =
        node.kind === "dir" || node.targetId !== undefined
          ? await lens.files.children(index.indexId, node.targetId ?? node.nodeId, { order, limit })
          : { indexId: index.indexId, entries: [node], total: 1 };
      const records = listing.entries.length;
      return { answer: { path: node.path, ...listing }, connectionId: root.connectionId, records };
    });
    if (context.json) context.out(filesJson(found));
    else for (const entry of found.entries) context.out(line(entry));
    if (!context.json) noteMore(context, found);
    return 0;
  });
}

/** Lists the largest entries first, like du -d1 | sort. */
export async function du(context: CommandContext, [path, ...rest]: string[]): Promise<number> {
  if (rest.length > 0) throw new UsageError(`unexpected argument ${JSON.stringify(rest[0])}`);
  const limit = wholeNumber(context.values, "limit", 1) ?? LISTED;
  return withLens(context, async (lens) => {
    const call = ownerCall(lens, "du");
    const found = await call.run("navigate", async () => {
      const { root, index, node } = await placeAt(call, path);
      // Reads all entries, because an index cannot sort by disk usage.
      const most = Math.max(1, node.counts?.entries ?? 1);
      const at = node.targetId ?? node.nodeId;
      const { nextCursor: _next, ...listing } = await lens.files.children(index.indexId, at, { limit: most });
      const entries = listing.entries.sort((one, other) => other.allocated - one.allocated).slice(0, limit);
      return { answer: { path: node.path, ...listing, entries }, connectionId: root.connectionId, records: most };
    });
    if (context.json) context.out(filesJson(found));
    else {
      for (const entry of found.entries) context.out(`${known(entry, entry.allocated)}  ${nameOf(entry)}`);
      context.out(`${known(found.parent, found.parent.allocated)}  .`);
      noteMore(context, found);
    }
    return 0;
  });
}

function noteMore(context: CommandContext, { entries, total }: { entries: readonly FileNode[]; total: number }): void {
  if (total > entries.length)
    context.note(`${count(total - entries.length, "more entry", "more entries")}; --limit ${total} shows all.`);
}

export async function largest(context: CommandContext, [path, ...rest]: string[]): Promise<number> {
  if (rest.length > 0) throw new UsageError(`unexpected argument ${JSON.stringify(rest[0])}`);
  const limit = wholeNumber(context.values, "limit", 1) ?? 20;
  return withLens(context, async (lens) => {
    const call = ownerCall(lens, "largest");
    const found = await call.run("navigate", async () => {
      const { root, index, node } = await placeAt(call, path);
      const kind = context.values.dirs === true ? "dir" : "file";
      const answer = await lens.files.largest(index.indexId, { under: node.nodeId, kind, limit });
      return { answer, connectionId: root.connectionId, records: answer.entries.length };
    });
    if (context.json) context.out(filesJson(found));
    else
      for (const entry of found.entries)
        context.out(`${bytes(entry.size).padStart(10)}  ${printable(entry.path ?? entry.name, NAME_SHOWN)}`);
    return 0;
  });
}

const KIND_LETTER: Partial<Record<FileNode["kind"], string>> = { dir: "d", link: "l", file: "-" };

const nameOf = ({ name, kind }: FileNode): string => `${printable(name, NAME_SHOWN)}${kind === "dir" ? "/" : ""}`;

export function line(entry: FileNode): string {
  const inside = entry.counts === undefined ? "" : ` (${count(entry.counts.files, "file")})`;
  return `${KIND_LETTER[entry.kind] ?? "?"} ${known(entry, entry.size)}  ${entry.modifiedAt.slice(0, 16).replace("T", " ")}  ${nameOf(entry)}${entry.state === undefined ? inside : ` [${NOT_READ[entry.state]}]`}`;
}

/** `>` marks a lower bound; `?` means that nothing was read. */
function known({ atLeast, state }: FileNode, size: number): string {
  if (state !== undefined) return "?".padStart(10);
  return `${atLeast ? ">" : ""}${bytes(size)}`.padStart(10);
}
