// The call arguments that the audit log records: those that a person can understand, limited in length and without
// secrets (V-06).
import type { KeptQuery } from "../contract/activity.ts";
import { plainLine } from "./unsafe-characters.ts";

const TEXT_MAX = 200;
const FILTERS_MAX = 6;
/** A token that was passed by mistake must not get into the log (SECURITY.md row 20). */
const TOKEN = /pdpp_[a-z]+_[\w-]*/g;

const TEXTS = ["q", "sort", "order", "since", "until", "group_by", "metric"] as const;

/** Returns undefined if nothing is worth recording; most calls only name a stream. */
export function keptQueryOf(query: unknown): KeptQuery | undefined {
  if (query === null || typeof query !== "object") return undefined;
  const asked = query as Record<string, unknown>;
  const kept: KeptQuery = {};
  for (const name of TEXTS) if (typeof asked[name] === "string") kept[name] = plain(asked[name]);
  if (asked.filter !== null && typeof asked.filter === "object") kept.filter = keptFilter(asked.filter);
  if (asked.changes_since !== undefined) kept.changes = true;
  return Object.keys(kept).length === 0 ? undefined : kept;
}

const plain = (text: string): string => plainLine(text, TEXT_MAX).replace(TOKEN, "pdpp_…");

function keptFilter(filter: object): Record<string, unknown> {
  const conditions = Object.entries(filter).slice(0, FILTERS_MAX);
  return Object.fromEntries(conditions.map(([field, condition]) => [plain(field), keptCondition(condition)]));
}

function keptCondition(condition: unknown): unknown {
  if (condition === null || typeof condition !== "object") return keptValue(condition);
  return Object.fromEntries(
    Object.entries(condition)
      .slice(0, FILTERS_MAX)
      .map(([operator, value]) => [
        plain(operator),
        Array.isArray(value) ? value.slice(0, FILTERS_MAX).map(keptValue) : keptValue(value),
      ]),
  );
}

const keptValue = (value: unknown): unknown => (typeof value === "string" ? plain(value) : value);
