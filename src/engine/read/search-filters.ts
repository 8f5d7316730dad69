// Filters of the form `name:value` in a query, if the name is not a text field: sources, kinds, people in a role, and
// fields with values, by their visible names. Everything is derived from what the caller may see. A hidden name is
// treated as an ordinary word.
import type { Warning } from "../../contract/answers.ts";
import { PdppError } from "../../contract/errors.ts";
import { isKind, namesPeople } from "../../contract/kinds.ts";
import { SEARCH_FILTERS_MAX } from "../../contract/limits.ts";
import { fieldCapability, visibleColumns } from "../../core/capabilities.ts";
import type { ColumnValue } from "../../core/fields.ts";
import { compilePlan } from "../../core/plan.ts";
import { rolesOf } from "../../core/roles.ts";
import type { ScopeRow } from "../../core/scope.ts";
import type { NamedFilter } from "../../core/search/query.ts";
import { plainName } from "../../core/search/query-names.ts";
import { wordsOf } from "../../core/search/words.ts";
import type { ReadContext } from "./context.ts";
import { selectionFor } from "./records.ts";
import { recordsNaming } from "./search-people.ts";

const IN = "in";
const KIND = "kind";

/** The columns for each name that a person may type: a field, its label or its role. */
const columnNames = new WeakMap<ScopeRow, ReadonlyMap<string, readonly string[]>>();

function columnsOf(row: ScopeRow): ReadonlyMap<string, readonly string[]> {
  const known = columnNames.get(row);
  if (known) return known;
  const columns = new Map<string, string[]>();
  const note = (name: string, column: string) => {
    const listed = columns.get(plainName(name)) ?? [];
    if (!listed.includes(column)) columns.set(plainName(name), [...listed, column]);
  };
  const { declaration, lists } = row.stream;
  const properties = declaration.schema.properties ?? {};
  for (const column of visibleColumns(row)) {
    if (!fieldCapability(row, column).exact_filter && !lists.has(column)) continue;
    const field = lists.get(column)?.field ?? column;
    note(column, column);
    const { title, "x-role": role } = properties[field] ?? {};
    if (typeof title === "string" && field === column) note(title, column);
    if (typeof role === "string") note(role.split(".", 1)[0]!, column);
  }
  columnNames.set(row, columns);
  return columns;
}

/** All names that can filter a search over these rows. */
export function filterNames(rows: readonly ScopeRow[]): ReadonlySet<string> {
  return new Set([IN, KIND, ...rows.flatMap((row) => [...columnsOf(row).keys()])]);
}

interface Narrowed {
  rows: readonly ScopeRow[];
  /** The records, by version, that pass the filters. Undefined if all do. */
  admitted?: { has(version: number): boolean };
  warnings: Warning[];
}

export async function narrowBy(
  context: ReadContext,
  searched: readonly ScopeRow[],
  filters: readonly NamedFilter[],
): Promise<Narrowed> {
  if (filters.length > SEARCH_FILTERS_MAX) {
    throw new PdppError(
      "invalid_request",
      `q has ${filters.length} filters (name:value), more than ${SEARCH_FILTERS_MAX}`,
      {
        param: "q",
        next_step: `Use at most ${SEARCH_FILTERS_MAX} of them, or put a name in quotes to search for it as words.`,
      },
    );
  }
  let rows = searched;
  const tests: ((version: number) => boolean)[] = [];
  const warnings: Warning[] = [];
  for (const filter of filters) {
    const picked = wholeRows(rows, filter);
    if (picked) {
      if (picked.size === 0) warnings.push(unknownValue(filter));
      rows = rows.filter((row) => picked.has(row) !== filter.negated);
      continue;
    }
    const versions = await versionsWith(context, rows, filter);
    if (versions.size === 0 && !filter.negated) warnings.push(unknownValue(filter));
    tests.push((version) => versions.has(version) !== filter.negated);
  }
  const admitted = { has: (version: number) => tests.every((test) => test(version)) };
  return { rows, ...(tests.length > 0 ? { admitted } : {}), warnings };
}

/** The rows that `in:` and `kind:` select. Undefined if the filter is about values. */
function wholeRows(rows: readonly ScopeRow[], { name, value }: NamedFilter): Set<ScopeRow> | undefined {
  if (plainName(name) === IN) {
    const words = wordsOf(value).map(({ term }) => term);
    return new Set(rows.filter((row) => namesOf(row).some((own) => beginAll(own, words))));
  }
  if (plainName(name) !== KIND) return undefined;
  const kind = [value.toLowerCase(), value.toLowerCase().replace(/s$/, "")].find(isKind);
  return kind === undefined
    ? undefined
    : new Set(rows.filter(({ stream }) => rolesOf(stream.declaration.schema)?.kind === kind));
}

function namesOf({ stream }: ScopeRow): string[] {
  const { name, connectorKey, displayName, sourceName, declaration } = stream;
  return [name, connectorKey, displayName, sourceName, declaration.display?.label ?? name];
}

/** Returns true if every word begins a word of the text. */
function beginAll(text: string, words: readonly string[]): boolean {
  const own = wordsOf(text).map(({ term }) => term);
  return words.length > 0 && words.every((word) => own.some((one) => one.startsWith(word)));
}

async function versionsWith(
  context: ReadContext,
  rows: readonly ScopeRow[],
  { name, value }: NamedFilter,
): Promise<Set<number>> {
  const found = new Set<number>();
  const named = rows.filter((row) => columnsOf(row).has(plainName(name)));
  const people = new Map<number, string[]>();
  for (const row of named) {
    const columns = columnsOf(row).get(plainName(name))!;
    const ofPeople = columns.filter((column) => holdsPeople(row, column));
    if (ofPeople.length > 0) people.set(row.stream.streamNo, ofPeople);
    for (const column of columns)
      for (const version of await havingValue(context, row, column, value)) found.add(version);
  }
  if (people.size === 0) return found;
  const asked = named.filter((row) => people.has(row.stream.streamNo));
  const { versions } = await recordsNaming(context, asked, [value], (row) => people.get(row.stream.streamNo)!);
  for (const version of versions) found.add(version);
  return found;
}

function holdsPeople({ stream }: ScopeRow, column: string): boolean {
  const roles = rolesOf(stream.declaration.schema);
  const field = stream.lists.get(column)?.field ?? column;
  const role = stream.declaration.schema.properties?.[field]?.["x-role"];
  return roles !== undefined && typeof role === "string" && namesPeople(roles.kind, role);
}

/** Records whose column has the value as people write it: words in any case, numbers, yes and no. */
async function havingValue(
  context: ReadContext,
  row: ScopeRow,
  column: string,
  typed: string,
): Promise<Iterable<number>> {
  const kind = row.stream.lists.get(column)?.kind ?? row.stream.fields.get(column)?.column;
  const plan = compilePlan(row);
  const columns = await context.columns(plan);
  const values: ColumnValue[] = [];
  if (kind === "string") {
    const words = wordsOf(typed).map(({ term }) => term);
    const { groups = [] } = await columns.aggregate(selectionFor(plan, []), {
      metric: "count",
      groupBy: column,
      orderBy: "key",
      limit: Number.MAX_SAFE_INTEGER,
    });
    for (const { key } of groups) if (typeof key === "string" && hasAll(key, words)) values.push(key);
  } else if (kind === "number" && typed.trim() !== "" && Number.isFinite(Number(typed))) values.push(Number(typed));
  else if (kind === "boolean" && /^(?:yes|true|no|false)$/i.test(typed)) values.push(/^(?:yes|true)$/i.test(typed));
  if (values.length === 0) return [];
  return columns.versions(selectionFor(plan, [{ field: column, op: "in", values }]));
}

/** Returns true if every typed word is a word of the value. */
function hasAll(value: string, words: readonly string[]): boolean {
  const own = new Set(wordsOf(value).map(({ term }) => term));
  return words.length > 0 && words.every((word) => own.has(word));
}

const unknownValue = ({ name, value }: NamedFilter): Warning => ({
  code: "value_unknown",
  message: `none of the records searched has ${name}:${JSON.stringify(value.slice(0, 100))}`,
  param: "q",
});
