// Plan: a Scope row compiled for one read. It is the only way to read a record, and the only place where a grant is
// enforced.
import { PdppError } from "../contract/errors.ts";
import type { JsonObject } from "../contract/record.ts";
import { columnValue } from "./fields.ts";
import { type History, type Stamp, type Visibility, valuesIn, visibilityIn } from "./history.ts";
import { nearest } from "./nearest.ts";
import { pickMembers } from "./pick-members.ts";
import { filterValue } from "./record-filter.ts";
import type { ScopeRow, TimeWindow } from "./scope.ts";
import { setMember } from "./set-member.ts";
import { whyNotField } from "./why.ts";

declare const compiled: unique symbol;

/** An argument of every store method that returns records. Only `compilePlan` creates one. */
export interface Plan {
  readonly [compiled]: true;
  readonly streamNo: number;
  readonly row: ScopeRow;
  /** The fields that this read returns, always within the grant; null means all. */
  readonly fields: ReadonlySet<string> | null;
  /** The field of the default order, if this reader may see it. Ordering by a hidden field would reveal it. */
  readonly orderField: string | undefined;
  /**
   * True if the store's own indexes can return the default order, because hidden rows are only before or after a
   * certain time.
   */
  readonly byOrder: boolean;
}

/** A stored row, which is opaque until `reveal` has checked it against a plan. */
export interface StoredRow {
  version: number;
  id: string;
  ord: string | number | null;
  emittedAt: number;
  ingestedAt: number;
  /** Null for a tombstone. */
  data: string | null;
  origin: string | null;
  history: string | null;
}

export interface Projection {
  fields?: readonly string[];
  view?: string;
}

/**
 * Allows the fields that the grant includes or, for the owner, those that are declared. The error is the same whether
 * or not a hidden field exists.
 */
export function requireField(row: ScopeRow, name: string, param: string): void {
  const { fields, stream } = row;
  if (stream.fields.has(name) && (fields === null || fields.has(name))) return;
  const known = [...stream.fields.keys()].filter((one) => fields === null || fields.has(one));
  // Suggests only names that the caller can read.
  const meant = nearest(name, known);
  const suggestion = meant === undefined ? "" : `; did you mean ${meant}?`;
  if (fields === null)
    throw new PdppError("unknown_field", `${stream.name} has no field ${JSON.stringify(name)}${suggestion}`, { param });
  throw new PdppError(
    "field_not_granted",
    `the grant does not include the field ${JSON.stringify(name)}${suggestion}`,
    { param, why: whyNotField(row, name) },
  );
}

/** Like `requireField`, but for filtering and grouping: it also allows a field inside a granted list. */
export function requireColumn(row: ScopeRow, name: string, param: string): void {
  const list = row.stream.lists.get(name);
  if (list?.member === undefined || !(row.fields?.has(list.field) ?? true)) requireField(row, name, param);
}

export function compilePlan(row: ScopeRow, projection: Projection = {}): Plan {
  const { cursor_field } = row.stream.declaration;
  const orderField = cursor_field !== undefined && (row.fields?.has(cursor_field) ?? true) ? cursor_field : undefined;
  return {
    streamNo: row.stream.streamNo,
    row,
    fields: projectedFields(row, projection),
    orderField,
    byOrder:
      row.resources === undefined &&
      row.filter === undefined &&
      (row.time === undefined || row.time.field === orderField),
  } as Plan;
}

function projectedFields(row: ScopeRow, { fields, view }: Projection): ReadonlySet<string> | null {
  if (fields !== undefined && view !== undefined) {
    throw new PdppError("invalid_request", "specify either fields or view, not both", { param: "view" });
  }
  if (fields === undefined && view === undefined) return row.fields;
  const keys = row.stream.declaration.primary_key;
  if (fields !== undefined) {
    for (const name of fields) requireField(row, name, "fields");
    return new Set([...keys.filter((key) => row.fields?.has(key) ?? true), ...fields]);
  }
  const found = row.stream.declaration.views?.find((candidate) => candidate.id === view);
  // A view is a named set of fields. Under a grant, it shows only those that the grant shows.
  const shown = found?.fields.filter((name) => row.fields?.has(name) ?? true) ?? [];
  if (shown.length === 0) {
    const visible = (row.stream.declaration.views ?? []).filter((candidate) =>
      candidate.fields.some((name) => row.fields?.has(name) ?? true),
    );
    const views = visible.map((candidate) => candidate.id).join(", ") || "none";
    throw new PdppError("invalid_request", `no view ${JSON.stringify(view)}; this stream has: ${views}`, {
      param: "view",
    });
  }
  return new Set([...keys, ...shown].filter((name) => row.fields?.has(name) ?? true));
}

export interface Revealed {
  id: string;
  /** JSON text of the projected data. */
  data: string;
  stamp: Stamp;
}

export interface GoneRecord {
  id: string;
  stamp: Stamp;
}

/** Returns the record as this plan shows it now, or undefined if it is not visible. */
export function reveal(plan: Plan, row: StoredRow): Revealed | undefined {
  if (row.data === null) return undefined;
  const sight = visibilityUnder(plan, row);
  return sight.state === "visible" ? { id: row.id, data: project(plan, row.data), stamp: sight.stamp } : undefined;
}

/** Returns the record's projected data as an object, for windows and expansion. */
export function revealData(plan: Plan, row: StoredRow): JsonObject | undefined {
  const revealed = reveal(plan, row);
  return revealed && (JSON.parse(revealed.data) as JsonObject);
}

/**
 * Returns the feed entry at `position`, or undefined if this plan sees the record at another position or not at all.
 */
export function revealChange(plan: Plan, row: StoredRow, position: number): Revealed | GoneRecord | undefined {
  const sight = visibilityUnder(plan, row);
  if (sight.state === "never" || sight.stamp[0] !== position) return undefined;
  if (sight.state === "gone" || row.data === null) return { id: row.id, stamp: sight.stamp };
  return { id: row.id, data: project(plan, row.data), stamp: sight.stamp };
}

/** Returns the position in the feed at which this plan sees the record. */
export function visibilityUnder(plan: Plan, row: StoredRow): Visibility {
  const { resources, time, filter } = plan.row;
  if (resources && !resources.has(row.id)) return { state: "never" };
  const present = filter === undefined || row.data === null ? null : filterValue(parsed(row.data), filter.field);
  const passes = (value: string | null): boolean => !filter || (value !== null && filter.values.has(value));
  // The requested fields do not matter: a grant has one feed, no matter which fields a page shows.
  if (row.history === null) {
    const stamp: Stamp = [row.version, row.emittedAt, row.ingestedAt, row.origin];
    const isInside = passes(present) && (!time || inWindow(time, timeOf(plan, row)));
    return isInside ? { state: "visible", stamp } : { state: "never" };
  }
  const history = JSON.parse(row.history) as History;
  const values = filter && valuesIn(history, filter.field, row.data === null ? undefined : present);
  return visibilityIn(
    history,
    plan.row.fields,
    (at, index) => passes(values?.[index] ?? null) && (!time || inWindow(time, at)),
  );
}

const parsed = (data: string): JsonObject => JSON.parse(data) as JsonObject;

function timeOf(plan: Plan, row: StoredRow): number | null {
  const { time, stream } = plan.row;
  if (time === undefined || row.data === null) return null;
  if (time.field === stream.declaration.cursor_field && typeof row.ord === "number") return row.ord;
  const kind = stream.fields.get(time.field)?.column;
  if (kind !== "instant" && kind !== "day") return null;
  return columnValue(kind, parsed(row.data)[time.field]) as number | null;
}

/** A record without a time is outside every window. */
function inWindow(window: TimeWindow, time: number | null): boolean {
  if (time === null) return false;
  return (window.since === undefined || time >= window.since) && (window.until === undefined || time < window.until);
}

function project(plan: Plan, data: string): string {
  const { blobFields } = plan.row.stream;
  if (blobFields.size === 0 || !data.includes('"blob_id"')) {
    return plan.fields === null ? data : pickMembers(data, plan.fields);
  }
  const record = parsed(data);
  const shown: JsonObject = {};
  for (const [name, value] of Object.entries(record)) {
    if (plan.fields !== null && !plan.fields.has(name)) continue;
    setMember(shown, name, blobFields.has(name) ? withFetchUrl(value, plan.row.stream.connectionId) : value);
  }
  return JSON.stringify(shown);
}

function withFetchUrl(value: JsonObject[string], connectionId: string): JsonObject[string] {
  if (Array.isArray(value)) return value.map((item) => withFetchUrl(item, connectionId));
  if (value === null || typeof value !== "object") return value;
  const copy: JsonObject = {};
  for (const [name, inner] of Object.entries(value)) setMember(copy, name, withFetchUrl(inner, connectionId));
  if (typeof copy.blob_id === "string") {
    copy.fetch_url = `/v1/blobs/${encodeURIComponent(copy.blob_id)}?connection_id=${encodeURIComponent(connectionId)}`;
  }
  return copy;
}
