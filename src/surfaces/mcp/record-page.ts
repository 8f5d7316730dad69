// A page of records. Shared facts are given once at the top; each record has its data and what differs (C-05).
import type { Provenance } from "../../contract/record.ts";
import { plainText } from "../../core/unsafe-characters.ts";
import type { BoundedRecord } from "./bounded-record.ts";

/** Facts about a record besides its data. */
interface RecordFacts {
  display_name?: string;
  emitted_at?: string;
  ingested_at?: string;
  provenance?: Provenance;
}

type Bounded = RecordFacts &
  Pick<BoundedRecord, "deleted" | "deleted_at" | "data" | "cut" | "blobs" | "blobs_left_out" | "fields_left_out">;

/** A record of another stream, so its handle is written out. */
export interface RelatedRecord extends Bounded {
  handle: string;
}

export interface ListedRecord extends Bounded {
  /** The value for the braces in the page's `record_handle`. Absent if a data field contains it. */
  id?: string;
  expanded?: Record<string, { data: RelatedRecord[]; has_more: boolean }>;
}

export interface RecordPage {
  /** `cin_x/messages:{id}`: if the braces are replaced with a record's id, `fetch` reads that record. */
  record_handle: string;
  /** The field that contains the id of every record. */
  key: string | undefined;
  shared: RecordFacts;
  records: ListedRecord[];
}

const SHARED = ["display_name", "emitted_at", "ingested_at", "provenance"] as const;

/** Without a prefix, the records belong to several connections, and each id is a complete handle. */
export function recordPage(records: readonly BoundedRecord[], prefix: string): RecordPage {
  const key = prefix === "" ? undefined : keyField(records);
  const shared = sharedFacts(records);
  return {
    record_handle: `${prefix}{${key ?? "id"}}`,
    key,
    shared,
    records: records.map((record) => listed(record, prefix, key, shared)),
  };
}

function sharedFacts(records: readonly BoundedRecord[]): RecordFacts {
  const shared: Record<string, unknown> = {};
  const [first, ...others] = records.filter((record) => !record.deleted);
  for (const name of SHARED) {
    if (first?.[name] === undefined) continue;
    if (others.every((record) => isSame(record[name], first[name]))) shared[name] = first[name];
  }
  return shared;
}

const isSame = (one: unknown, other: unknown): boolean =>
  one === other || (typeof one === "object" && JSON.stringify(one) === JSON.stringify(other));

/** Finds the field that contains the id of each record, if `fetch` accepts its value unchanged. */
function keyField(records: readonly BoundedRecord[]): string | undefined {
  const live = records.filter((record) => record.data !== undefined);
  const [first] = live;
  if (first === undefined || !live.every(({ id }) => isPlainId(id))) return undefined;
  const holds = (field: string): boolean => live.every(({ id, data }) => data![field] === id);
  const fields = Object.keys(first.data!).filter((field) => first.data![field] === first.id);
  const key = fields.includes("id") && holds("id") ? "id" : fields.find(holds);
  // A deleted record has no data; its `id` must not be mistaken for another field.
  return key === "id" || live.length === records.length ? key : undefined;
}

/** Matches ids that need no percent-encoding in a handle and no quotes in a table. */
const isPlainId = (id: string): boolean => /^[^/%\s|"[{(\ufffd][^/%\s|\ufffd]*$/.test(id) && plainText(id) === id;

function listed(record: BoundedRecord, prefix: string, key: string | undefined, shared: RecordFacts): ListedRecord {
  const { expanded } = record;
  const own = key !== undefined && record.data !== undefined ? {} : { id: shortId(record, prefix) };
  if (expanded === undefined) return { ...own, ...bounded(record, shared) };
  const relations = Object.entries(expanded).map(
    ([name, { data, has_more }]) =>
      [name, { data: data.map((row) => ({ handle: row.handle, ...bounded(row, shared) })), has_more }] as const,
  );
  return { ...own, ...bounded(record, shared), expanded: Object.fromEntries(relations) };
}

const shortId = ({ id, handle }: BoundedRecord, prefix: string): string =>
  prefix !== "" && isPlainId(id) ? id : handle.slice(prefix.length);

function bounded(record: BoundedRecord, shared: RecordFacts): Bounded {
  const { data, cut, blobs, deleted, deleted_at, blobs_left_out, fields_left_out } = record;
  const facts: Record<string, unknown> = {};
  for (const name of SHARED) if (!isSame(record[name], shared[name])) facts[name] = record[name];
  return {
    ...(deleted === undefined ? {} : { deleted, deleted_at }),
    ...facts,
    ...(data === undefined ? {} : { data }),
    ...(cut === undefined ? {} : { cut }),
    ...(blobs === undefined ? {} : { blobs }),
    ...(blobs_left_out === undefined ? {} : { blobs_left_out }),
    ...(fields_left_out === undefined ? {} : { fields_left_out }),
  };
}
