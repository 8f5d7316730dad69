// The change feed under a Scope, as it would be if only the granted data existed.
import type { KeyObject } from "node:crypto";
import type { Warning } from "../../contract/answers.ts";
import { PdppError } from "../../contract/errors.ts";
import type { RecordsQuery } from "../../contract/read.ts";
import { openCursor, sealCursor } from "../../core/cursor.ts";
import { compilePlan, revealChange } from "../../core/plan.ts";
import { isLimited, type ScopeRow } from "../../core/scope.ts";
import type { MethodContext } from "../calls/define.ts";
import { type Answer, listJson, recordJson, recordsUrl } from "./context.ts";
import { lost, padded, placeFrom, spanFrom, startOf, validVersion, versionBefore } from "./feed-position.ts";
import { readFreshness } from "./freshness.ts";
import { boundQuery } from "./records.ts";

/** How many feed positions are checked in each further step. Hidden ones are skipped. */
const STEP = 500;

export async function readChanges(
  context: MethodContext,
  row: ScopeRow,
  query: RecordsQuery,
  limit: number,
  warnings: Warning[],
): Promise<Answer> {
  refuseQueryParts(query);
  const { key, view } = context;
  const plan = compilePlan(row, query);
  // Hidden rows are skipped one by one, so this becomes a scan: a narrow grant must not make everyone's point reads
  // wait.
  if (isLimited(row)) context.scan();
  const since = { space: "since", within: row, query: null } as const;
  const session = { space: "changes", within: row, query: boundQuery(query) } as const;
  const head = await view.version();
  const eras = await view.eras();
  const era = eras.at(-1)!.name;
  const asked = startOf(query.changes_since!, head) ?? {
    version: validVersion(eras, ...placeFrom(openCursor(key, since, query.changes_since!))),
  };
  const time = "time" in asked ? asked.time : undefined;
  const start = "time" in asked ? await versionBefore(view, plan, asked.time, head) : asked.version;
  // All pages of a session end at the end of the feed as its first page saw it.
  const [from, horizon] =
    query.cursor === undefined ? [start, head] : spanFrom(eras, openCursor(key, session, query.cursor));
  if (start > head || horizon > head) throw lost();

  const freshness = await readFreshness(context, row.stream.connectionId);
  const items: string[] = [];
  const ids: string[] = [];
  let position = from;
  let more = true;
  // Most feeds hide nothing, so the first step is a page plus one entry that shows whether there is more.
  for (let step = limit + 1; more; step = STEP) {
    const entries = await view.feed(plan, position, horizon, step);
    for (const entry of entries) {
      const change = revealChange(plan, entry.row, entry.position);
      if (change !== undefined && (time === undefined || change.stamp[2] >= time)) {
        if (items.length === limit) {
          const nextCursor = sealCursor(key, session, padded(position) + padded(horizon) + era);
          return answer(items, { hasMore: true, nextCursor });
        }
        items.push(recordJson(row, change, { texts: query.texts }));
        ids.push(change.id);
      }
      position = entry.position;
    }
    more = entries.length === step;
  }
  return answer(items, { hasMore: false, nextChangesSince: sinceToken(key, row, horizon, era) });

  function answer(shown: string[], end: { hasMore: boolean; nextCursor?: string; nextChangesSince?: string }): Answer {
    const meta = { freshness, ...(warnings.length > 0 ? { warnings } : {}) };
    const body = listJson({ ...recordsUrl(query), items: shown, row, meta, ...end });
    return { body, row, records: shown.length, ids };
  }
}

/** The token that a reader of this row sends to get changes after `version`. */
export const sinceToken = (key: KeyObject, row: ScopeRow, version: number, era: string): string =>
  sealCursor(key, { space: "since", within: row, query: null }, padded(version) + era);

function refuseQueryParts(query: RecordsQuery): void {
  for (const param of ["filter", "sort", "order", "expand", "expand_limit", "count"] as const) {
    if (query[param] !== undefined) {
      throw new PdppError("invalid_request", `changes_since cannot be combined with ${param}`, {
        param,
        next_step: `Omit ${param}, or list records without changes_since.`,
      });
    }
  }
}
