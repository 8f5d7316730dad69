// pdpp files find, dupes, grown: find files, duplicates, and growth.
import { PdppError } from "../../../contract/errors.ts";
import type { FileFilter, NodeKind } from "../../../contract/files.ts";
import { queryRun } from "../../../files/shell/queries.ts";
import { type CommandContext, oneOf, text, UsageError, wholeNumber } from "../command.ts";
import { printable } from "../printable.ts";
import { bytes, count } from "../table.ts";
import { filesJson } from "./json.ts";
import { ownerCall, placeAt, sizeFrom, withLens } from "./lens.ts";
import { watched } from "./watched.ts";

const NAME_SHOWN = 4096;
const KINDS = ["file", "dir", "link", "fifo", "socket", "block_device", "character_device", "other"] as const;

export async function find(context: CommandContext, [path, ...rest]: string[]): Promise<number> {
  if (rest.length > 0) throw new UsageError(`unexpected argument ${JSON.stringify(rest[0])}`);
  const { values } = context;
  const limit = wholeNumber(values, "limit", 1) ?? 1000;
  const order = oneOf(values, "sort", ["name", "size", "time", "tree"] as const) ?? "tree";
  const filter = filterFrom(context);
  const save = text(values, "save");
  return withLens(context, async (lens) => {
    const call = ownerCall(lens, "find");
    const found = await call.run("navigate", async () => {
      const { root, index, node } = await placeAt(call, path);
      const answer = await lens.files.find(index.indexId, { filter, under: node.nodeId, order, limit });
      const kept =
        save === undefined
          ? undefined
          : await queryRun(call, { filter, name: save, under: node.nodeId, indexId: index.indexId });
      return {
        answer: { ...answer, ...(kept === undefined ? {} : { kept: kept.answer }) },
        connectionId: root.connectionId,
        records: answer.entries.length,
      };
    });
    if (context.json) {
      context.out(filesJson(found));
      return 0;
    }
    for (const entry of found.entries) context.out(printable(entry.path ?? entry.name, NAME_SHOWN));
    const { nodes, size } = found.matches;
    const more = nodes > found.entries.length ? `; --limit ${nodes} shows all` : "";
    context.note(`${count(nodes, "match", "matches")}, ${bytes(size)}${more}.`);
    if (found.kept !== undefined) context.note(`Saved: pdpp files sets show ${found.kept.selectionId}`);
    return 0;
  });
}

function filterFrom({ values }: CommandContext): FileFilter {
  const min = sizeFrom(text(values, "min-size"), "min-size");
  const max = sizeFrom(text(values, "max-size"), "max-size");
  const [after, before] = [text(values, "after"), text(values, "before")];
  const [name, type] = [text(values, "name"), text(values, "type")];
  const kind = oneOf<NodeKind>(values, "kind", KINDS);
  const parts: FileFilter[] = [
    ...(name === undefined ? [] : [{ name }]),
    ...(type === undefined ? [] : [{ type }]),
    ...(kind === undefined ? [] : [{ kind }]),
    ...(min === undefined && max === undefined
      ? []
      : [{ size: { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) } }]),
    ...(after === undefined && before === undefined
      ? []
      : [{ modified: { ...(after === undefined ? {} : { after }), ...(before === undefined ? {} : { before }) } }]),
  ];
  if (parts.length === 0) return { name: "*" };
  return parts.length === 1 ? parts[0]! : { and: parts };
}

/** Lists duplicates. Missing digests are computed first. */
export async function dupes(context: CommandContext, [path, ...rest]: string[]): Promise<number> {
  if (rest.length > 0) throw new UsageError(`unexpected argument ${JSON.stringify(rest[0])}`);
  const minSize = sizeFrom(text(context.values, "min-size"), "min-size");
  const limit = wholeNumber(context.values, "limit", 1) ?? 100;
  return withLens(
    context,
    async (lens) => {
      const call = ownerCall(lens, "duplicates");
      const found = await call.run("navigate", async () => {
        const { root, index, node } = await placeAt(call, path);
        const job = await lens.files.startDigests(index.indexId, minSize === undefined ? {} : { minSize });
        const { status, error } = await watched(lens, job, context.json ? context.out : undefined);
        if (status !== "succeeded")
          throw new PdppError(
            "store_unavailable",
            `the search for duplicates ${status}${error === undefined ? "" : `: ${error}`}`,
            {
              next_step: "Run the same command again to continue.",
            },
          );
        const under = node.targetId ?? node.nodeId;
        const answer = await lens.files.duplicates(index.indexId, { limit, under, minSize });
        return { answer, connectionId: root.connectionId };
      });
      if (context.json) {
        context.out(filesJson(found));
        return 0;
      }
      for (const group of found.groups) {
        context.out(`${bytes(group.size)} each, ${count(group.files.length + group.more, "copy", "copies")}:`);
        for (const node of group.files) context.out(`  ${printable(node.path ?? node.name, NAME_SHOWN)}`);
      }
      const { groups, wasted } = found.total;
      if (groups > 0)
        context.note(
          `${count(groups, "file")} with copies; the copies take up ${bytes(wasted)}${groups > found.groups.length ? `; --limit ${groups} shows all` : ""}.`,
        );
      context.note(found.groups.length === 0 ? "No duplicate files." : "Nothing was removed: this command only reads.");
      return 0;
    },
    { scans: true },
  );
}

export async function grown(context: CommandContext, [path, ...rest]: string[]): Promise<number> {
  if (rest.length > 0) throw new UsageError(`unexpected argument ${JSON.stringify(rest[0])}`);
  const limit = wholeNumber(context.values, "limit", 1) ?? 20;
  return withLens(context, async (lens) => {
    const call = ownerCall(lens, "growth");
    const found = await call.run("navigate", async () => {
      const { root, index, node } = await placeAt(call, path);
      const scans = await lens.files.scans(index.indexId);
      const from = wholeNumber(context.values, "since", 1) ?? scans[1]?.scan;
      if (from === undefined)
        throw new UsageError(`${root.path} has been scanned only once; scan it again to see what grew`);
      return {
        answer: await lens.files.growth(index.indexId, { from, under: node.nodeId, limit }),
        connectionId: root.connectionId,
      };
    });
    if (context.json) context.out(filesJson(found));
    else {
      for (const { growth, path: where } of found.dirs)
        context.out(`${signed(growth).padStart(11)}  ${printable(where, NAME_SHOWN)}`);
      context.note(`${signed(found.growth)} from ${found.from.endedAt} to ${found.to.endedAt}.`);
    }
    return 0;
  });
}

const signed = (size: number): string => `${size < 0 ? "-" : "+"}${bytes(Math.abs(size))}`;
