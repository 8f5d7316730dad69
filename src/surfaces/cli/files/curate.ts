// pdpp files sets, queries: lists collected selections and runs saved searches.
import type { More, ResourceSetCard } from "../../../contract/file-shell.ts";
import { queryList, queryRun } from "../../../files/shell/queries.ts";
import { resourceSetOps } from "../../../files/shell/selections.ts";
import { setEntries } from "../../../files/shell/set-entries.ts";
import { type CommandContext, UsageError } from "../command.ts";
import { printable } from "../printable.ts";
import { bytes, count, table } from "../table.ts";
import { filesJson } from "./json.ts";
import { ownerCall, withLens } from "./lens.ts";

const PAGE = 1000;
const PAGED = { limit: 100, whole: true } as const;
type SetCardPage = { sets: ResourceSetCard[] } & More;

async function allOf<Name extends string, Item>(
  ask: (from: { cursor?: string }) => Promise<Record<Name, Item[]> & More>,
  name: Name,
): Promise<Item[]> {
  const all: Item[] = [];
  let from: { cursor?: string } | undefined = {};
  while (from !== undefined) {
    const page: Record<Name, Item[]> & More = await ask(from);
    all.push(...page[name]);
    from = page.nextCursor === undefined ? undefined : { cursor: page.nextCursor };
  }
  return all;
}
const NAME_SHOWN = 4096;

export async function sets(context: CommandContext, [action = "list", id, ...rest]: string[]): Promise<number> {
  if (rest.length > 0) throw new UsageError(`unexpected argument ${JSON.stringify(rest[0])}`);
  return withLens(context, async (lens) => {
    const call = ownerCall(lens, "resource-set-ops");
    const ask = (query: Parameters<typeof resourceSetOps>[1]) =>
      call.run("navigate", () => resourceSetOps(call, query));
    if (action === "list") {
      const found = {
        sets: await allOf(async (from) => (await ask({ op: "list", ...PAGED, ...from })) as SetCardPage, "sets"),
      };
      if (context.json) context.out(filesJson(found));
      else
        context.out(
          found.sets.length === 0
            ? "No selections yet. `pdpp files find … --save NAME` creates one."
            : table(
                ["selection", "name", "index", "entries", "size"],
                found.sets.map((set) => [
                  set.selectionId,
                  set.name,
                  set.indexId,
                  String(set.counts.entries),
                  bytes(set.totalSize),
                ]),
              ),
        );
      return 0;
    }
    if (id === undefined || !["show", "delete"].includes(action))
      throw new UsageError("choose sets, sets show ID or sets delete ID");
    const found = await ask({ op: action === "show" ? "get" : "delete", selectionId: id });
    if (context.json || !("sample" in found)) {
      context.out(context.json ? filesJson(found) : `Deleted ${id}; its files are unchanged.`);
      return 0;
    }
    const gone =
      found.missing === undefined
        ? ""
        : `; ${found.missing} more ${found.missing === 1 ? "is" : "are"} no longer on disk`;
    context.note(`${found.name}: ${count(found.counts.entries, "entry", "entries")}, ${bytes(found.totalSize)}${gone}`);
    let from: { cursor?: string } | undefined = {};
    while (from !== undefined) {
      const { members, nextCursor }: Awaited<ReturnType<typeof setEntries>> = await setEntries(call, {
        selectionId: id,
        limit: PAGE,
        ...from,
      });
      for (const member of members)
        context.out(
          "missing" in member ? `(gone) ${member.nodeId}` : printable(member.path ?? member.name, NAME_SHOWN),
        );
      from = nextCursor === undefined ? undefined : { cursor: nextCursor };
    }
    return 0;
  });
}

export async function queries(context: CommandContext, [action = "list", id, ...rest]: string[]): Promise<number> {
  if (rest.length > 0) throw new UsageError(`unexpected argument ${JSON.stringify(rest[0])}`);
  return withLens(context, async (lens) => {
    if (action === "run" && id !== undefined) {
      const call = ownerCall(lens, "query-run");
      const ran = await call.run("navigate", () => queryRun(call, { queryId: id }));
      const { matches, totalSize } = ran.report;
      context.out(
        context.json
          ? filesJson(ran)
          : `${count(matches, "match", "matches")}, ${bytes(totalSize)}: pdpp files sets show ${ran.selectionId}`,
      );
      return 0;
    }
    if (action !== "list") throw new UsageError("choose queries, or queries run ID");
    const call = ownerCall(lens, "query-list");
    const ask = (from: { cursor?: string }) => call.run("navigate", () => queryList(call, { ...PAGED, ...from }));
    const found = { queries: await allOf(ask, "queries") };
    if (context.json) context.out(filesJson(found));
    else
      context.out(
        found.queries.length === 0
          ? "No saved queries yet. `pdpp files find … --save NAME` creates one."
          : table(
              ["query", "name", "filter", "last run"],
              found.queries.map((query) => [
                query.queryId,
                query.name,
                query.filterSummary,
                query.lastExecutedAt ?? "never",
              ]),
            ),
      );
    return 0;
  });
}
