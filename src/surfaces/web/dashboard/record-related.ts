// The context of a record: its related records, and its neighbours in the stream's own order.

import { EXPAND } from "../../../contract/limits.ts";
import type { RecordRead } from "../../../contract/record.ts";
import type { StreamMetadata } from "../../../contract/schema-document.ts";
import { leadingField } from "../../../core/default-columns.ts";
import { ownTitle, recordTitle, rolesIn, timeFieldIn } from "../../../core/title.ts";
import { whenOf } from "../kinds/item.ts";
import type { Visit } from "../owner-page.ts";
import { pair, type RecordPlace, recordAddress, streamAddress } from "./explore/addresses.ts";
import { inWords } from "./explore/stream-fields.ts";
import { oneLine } from "./explore/values.ts";

export interface Relation {
  label: string;
  stream: string;
  records: { href: string; title: string; at?: string }[];
  /** A link to all related records in their stream. */
  more?: string;
}

type PageCalls = Pick<Visit, "look">;

/** Returns the first relations that can be expanded, as many as one read allows. */
export const relationsOf = ({ expand_capabilities }: StreamMetadata): string[] =>
  expand_capabilities.slice(0, EXPAND.relations).map(({ name }) => name);

export async function related({ look }: PageCalls, found: RecordRead, metadata: StreamMetadata): Promise<Relation[]> {
  const { connection_id, id, expanded = {} } = found;
  const relations = metadata.expand_capabilities.filter(({ name }) => (expanded[name]?.data.length ?? 0) > 0);
  const streams = new Map(
    await Promise.all(
      [...new Set(relations.map(({ stream }) => stream))].map(
        async (stream) => [stream, await look("stream", { connection_id, stream })] as const,
      ),
    ),
  );
  const foreignKeys = relations.some(({ name }) => expanded[name]!.has_more)
    ? await foreignKeysOf({ look }, metadata)
    : new Map<string, string>();
  return relations.map(({ name, stream, cardinality }): Relation => {
    const { data, has_more } = expanded[name]!;
    const key = cardinality === "has_many" && has_more ? foreignKeys.get(name) : undefined;
    const filterable = key !== undefined && streams.get(stream)!.field_capabilities[key]?.exact_filter === true;
    return {
      label: inWords(name),
      stream: streams.get(stream)!.label ?? stream,
      records: data.map((record) => ({
        href: recordAddress({ connection_id, stream, id: record.id }),
        title: titleOf(record, streams.get(stream)!),
        ...timeOf(record, streams.get(stream)!),
      })),
      ...(filterable ? { more: streamAddress({ connection_id, stream }, [pair(`filter[${key}]`, id)]) } : {}),
    };
  });
}

/** Only the declaration says which field a relation uses, so it is read here. */
export async function foreignKeysOf(
  { look }: PageCalls,
  { connector_key, name }: StreamMetadata,
): Promise<Map<string, string>> {
  const { data } = await look("connectors", {});
  const source = data.find((one) => one.connector_key === connector_key)?.declaration;
  const stream = source?.streams.find((one) => one.name === name);
  return new Map((stream?.relationships ?? []).map((relation) => [relation.name, relation.foreign_key]));
}

/** Returns the record's own name, otherwise the beginning of its text. */
function titleOf(record: RecordRead, metadata: StreamMetadata): string {
  const leading = record.data[leadingField(metadata) ?? ""];
  const text = typeof leading === "string" ? oneLine(leading) : "";
  return ownTitle(record.data, rolesIn(metadata)) ?? (text === "" ? recordTitle(record, metadata) : text);
}

/** For an all-day record, returns only the day, because its midnight is another day elsewhere (V-10). */
export function timeOf({ data }: Pick<RecordRead, "data">, metadata: StreamMetadata): { at?: string } {
  const at = data[timeFieldIn(metadata) ?? ""];
  if (typeof at !== "string") return {};
  return { at: whenOf(data, timeFieldIn(metadata), metadata.roles ?? {})?.at ?? at };
}

export interface Neighbours {
  newer?: string;
  older?: string;
}

/** The number of records with exactly the same time that are searched to find the given record and its neighbours. */
const TIES_MAX = 10;

export async function neighbours(
  { look }: PageCalls,
  found: RecordRead,
  metadata: StreamMetadata,
): Promise<Neighbours> {
  const { cursor_field: field } = metadata;
  const ranges = metadata.field_capabilities[field ?? ""]?.range_filter ?? [];
  const value = found.data[field ?? ""];
  if (field === undefined || (typeof value !== "string" && typeof value !== "number")) return {};
  if (!ranges.includes("gte") || !ranges.includes("lte")) return {};
  const place = { connection_id: found.connection_id, stream: found.stream };
  const beside = async (operator: "gte" | "lte"): Promise<string | undefined> => {
    const { data } = await look("records", {
      ...place,
      filter: { [field]: { [operator]: value } },
      order: operator === "gte" ? "asc" : "desc",
      fields: [field],
      limit: TIES_MAX,
    });
    const own = data.findIndex(({ id }) => id === found.id);
    const next: Pick<RecordPlace, "id"> | undefined = own === -1 ? undefined : data[own + 1];
    return next === undefined ? undefined : recordAddress({ ...place, id: next.id });
  };
  const [newer, older] = await Promise.all([beside("gte"), beside("lte")]);
  return { ...(newer === undefined ? {} : { newer }), ...(older === undefined ? {} : { older }) };
}
