// Extracts the facts from a response, whatever its form: a tool's structured output, or the JSON of REST and the CLI.
import { parseHandle } from "../../src/contract/handle.ts";
import type { Loose } from "../harness.ts";
import { recordIds } from "../mcp.ts";
import type { Args, Call } from "./cases.ts";

export type Facts = Record<string, unknown>;

const sorted = (items: string[]): string[] => [...items].sort();
/** True for fields that a list or a document may show only in part. */
const isLong = (value: unknown): boolean => (JSON.stringify(value) ?? "").length > 100;
const shortOnes = (data: Record<string, unknown> = {}): Facts =>
  Object.fromEntries(
    Object.entries(data)
      .filter(([, value]) => !isLong(value) && !(value !== null && typeof value === "object"))
      .sort(([one], [other]) => one.localeCompare(other)),
  );

export function toolFacts(call: Call, args: Args, answer: Loose): Facts {
  if (call === "schema") return args.stream === undefined ? toolIndex(answer.data) : toolStreams(answer.data);
  if (call === "aggregate") return aggregationFacts(answer.data);
  if (call === "query_records") {
    const { data, has_more, count } = answer;
    const ids = recordIds(answer);
    const records = data.map((record: Loose, at: number) => recordFacts({ ...record, id: ids[at] }));
    return { records, has_more, count: count?.value };
  }
  if (call === "search") {
    const hits = answer.results.map(({ id, title, evidence }: Loose) => ({
      id,
      title,
      field: evidence?.field,
      match: evidence?.match_chars ?? markedIn(evidence?.text),
      total: evidence?.total_chars ?? charsOf(evidence?.text),
    }));
    return { hits, count: answer.count.value, has_more: answer.has_more };
  }
  return documentFacts(args, answer);
}

export function plainFacts(call: Call, args: Args, answer: Loose): Facts {
  if (call === "schema") return args.stream === undefined ? plainIndex(answer) : plainStreams(answer);
  if (call === "aggregate") return aggregationFacts(answer);
  if (call === "query_records") {
    const { data, has_more, meta } = answer;
    return { records: data.map(recordFacts), has_more, count: meta.count?.value };
  }
  if (call === "search") {
    const hits = answer.data.map(({ handle, title, evidence_excerpts: [best] }: Loose) => ({
      id: handle,
      title,
      field: best?.field_path,
      match: best?.matches === undefined ? undefined : [best.matches[0].start_chars, best.matches[0].end_chars],
      total: best?.total_chars,
    }));
    return { hits, count: answer.meta.count.value, has_more: answer.has_more };
  }
  return thingFacts(args, answer);
}

const ENTITIES: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">" };
const unescaped = (text: string): string => text.replace(/&(?:amp|lt|gt);/g, (entity) => ENTITIES[entity]!);

/** Returns the length of a passage that is a whole field. */
const charsOf = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : [...unescaped(text.replace(/<\/?mark>/g, ""))].length;

function markedIn(text: string | undefined): [number, number] | undefined {
  if (text === undefined) return undefined;
  const start = charsOf(text.slice(0, text.indexOf("<mark>")))!;
  return [start, start + charsOf(text.slice(text.indexOf("<mark>"), text.indexOf("</mark>")))!];
}

function toolIndex({ connectors }: Loose): Facts {
  const names = connectors.flatMap(({ connector_key, connections, only_streams, streams }: Loose) =>
    Object.keys(connections).flatMap((connection_id) =>
      (only_streams?.[connection_id] ?? streams).map((stream: string) => `${connector_key} ${connection_id} ${stream}`),
    ),
  );
  return { names: sorted(names) };
}

function plainIndex({ connectors }: Loose): Facts {
  const names = connectors.flatMap(({ connector_key, streams }: Loose) =>
    streams.flatMap(({ name, granted_connections }: Loose) =>
      granted_connections.map(({ connection_id }: Loose) => `${connector_key} ${connection_id} ${name}`),
    ),
  );
  return { names: sorted(names) };
}

/** In `"min max": ["a"]`, the list applies to each name. */
const spread = (lists: Record<string, string[]>): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(lists)
      .flatMap(([names, fields]) => names.split(" ").map((name) => [name, sorted(fields)] as const))
      .sort(([one], [other]) => one.localeCompare(other)),
  );

function toolStreams({ connectors }: Loose): Facts {
  const rows = connectors.flatMap((connector: Loose) => connector.streams);
  return {
    ...(rows[0].schema === undefined ? {} : { schema: rows[0].schema }),
    rows: rows.map((row: Loose) => {
      const can = Object.entries(capabilitiesOf(row));
      const named = (test: (name: string) => boolean) => spread(Object.fromEntries(can.filter(([name]) => test(name))));
      return {
        connections: sorted(row.connection_ids),
        fields: sorted(Object.values(row.fields).flat() as string[]),
        query: named((name) => ["exact_filter", "sort", "contains"].includes(name)),
        ranges: Object.fromEntries(
          can
            .filter(([name]) => name.startsWith("range_filter"))
            .flatMap(([name, fields]) => fields.map((field) => [field, operatorsIn(name)] as const))
            .sort(([one], [other]) => one.localeCompare(other)),
        ),
        search: sorted(capabilitiesOf(row).search ?? []),
        aggregate: named((name) => METRICS.includes(name)),
        expand: Array.isArray(row.expand) ? row.expand : Object.keys(row.expand ?? {}),
      };
    }),
  };
}

/** Returns each capability with its fields. `all but` lists the excluded fields. */
function capabilitiesOf({ capabilities, fields }: Loose): Record<string, string[]> {
  const lists = Object.entries(capabilities as Record<string, string[]>).flatMap(([key, listed]) => {
    const [words, but] = key.split(", all ");
    const names =
      but === undefined ? listed : (Object.values(fields).flat() as string[]).filter((name) => !listed.includes(name));
    return words!.split(" ").map((word) => [word, names] as const);
  });
  return Object.fromEntries(lists);
}

const operatorsIn = (word: string): string => /\((.+)\)/.exec(word)?.[1]?.replaceAll("_", " ") ?? "gte gt lte lt";

const METRICS = ["sum", "avg", "min", "max", "count_distinct", "group_by", "group_by_time"];

function plainStreams({ connectors }: Loose): Facts {
  const rows = connectors.flatMap(({ streams }: Loose) => streams);
  return {
    ...(rows[0].schema === undefined ? {} : { schema: rows[0].schema }),
    rows: rows.map((row: Loose) => {
      const fields: [string, Loose][] = Object.entries(row.field_capabilities);
      const where = (test: (field: Loose) => boolean) =>
        sorted(fields.filter(([, field]) => test(field)).map(([name]) => name));
      const filled = (lists: Record<string, string[]>) =>
        spread(Object.fromEntries(Object.entries(lists).filter(([, names]) => names.length > 0)));
      return {
        connections: sorted(row.granted_connections.map(({ connection_id }: Loose) => connection_id)),
        fields: where(() => true),
        query: filled({
          exact_filter: where((field) => field.exact_filter),
          sort: where((field) => field.sort),
          contains: where((field) => field.set_filter.includes("contains")),
        }),
        ranges: Object.fromEntries(
          fields
            .filter(([, field]) => field.range_filter.length > 0)
            .map(([name, field]) => [name, field.range_filter.join(" ")] as const)
            .sort(([one], [other]) => one.localeCompare(other)),
        ),
        search: where((field) => field.lexical_search),
        aggregate: filled(
          Object.fromEntries(METRICS.map((metric) => [metric, where((field) => field.aggregation[metric])])),
        ),
        expand: row.expand_capabilities.map(({ name }: Loose) => name),
      };
    }),
  };
}

function recordFacts({ id, data, deleted, expanded }: Loose): Facts {
  const relations = Object.entries((expanded ?? {}) as Record<string, Loose>).map(
    ([name, { data: related, has_more }]) => [name, related.map(relatedId), has_more],
  );
  return { id, deleted, data: shortOnes(data), relations };
}

const relatedId = ({ id, handle }: Loose): string => id ?? decodeURIComponent(handle.slice(handle.indexOf(":") + 1));

const aggregationFacts = ({
  value,
  groups,
  filtered_record_count,
  other_count,
  other_value,
  metric,
}: Loose): Facts => ({
  value,
  // If the metric is a count, the value is the count.
  groups: groups?.map(({ key, count, value: of = count }: Loose) => [key, count, of]),
  filtered_record_count,
  other_count,
  other_value: metric === "count" ? undefined : other_value,
});

const kindOf = ({ id }: Args) => parseHandle(String(id)).kind;

/** The facts in a document that fetch returned. */
function documentFacts(args: Args, { id, text, metadata }: Loose): Facts {
  switch (kindOf(args)) {
    case "field-window":
      return windowFacts({ ...metadata, text });
    case "blob":
      return { mime_type: metadata.mime_type, size_bytes: metadata.size_bytes, sha256: metadata.sha256 };
    case "stream":
      return { stream: metadata.stream, connection_id: metadata.connection_id, connector_key: metadata.connector_key };
    case "export":
      return exportFacts(metadata);
    case "record": {
      const lines = [...(text as string).matchAll(/^(\w+): (.+)$/gm)].flatMap(([, name, value]) => {
        const parsed = parsedOrNot(value!);
        return parsed === undefined || metadata.expanded?.[name!] !== undefined ? [] : [[name!, parsed] as const];
      });
      const relations = Object.entries((metadata.expanded ?? {}) as Record<string, Loose>).map(
        ([name, { ids, has_more }]) => [name, ids, has_more],
      );
      return { id, data: shortOnes(Object.fromEntries(lines)), relations, ...sourceOf(metadata) };
    }
  }
}

function thingFacts(args: Args, answer: Loose): Facts {
  switch (kindOf(args)) {
    case "field-window":
      return windowFacts({ ...answer.window, revision: answer.revision });
    case "blob":
      return { mime_type: answer.mime_type, size_bytes: answer.size_bytes, sha256: answer.sha256 };
    case "stream": {
      const row = answer.connectors[0].streams[0];
      const [{ connection_id }] = row.granted_connections;
      return { stream: row.name, connection_id, connector_key: row.connector_key };
    }
    case "export":
      return exportFacts(answer);
    case "record": {
      const { connection_id, stream, id, data, expanded } = answer;
      const named = (record: Loose) => `${record.connection_id}/${record.stream}:${encodeURIComponent(record.id)}`;
      const relations = Object.entries((expanded ?? {}) as Record<string, Loose>).map(([name, list]) => [
        name,
        list.data.map(named),
        list.has_more,
      ]);
      return { id: named({ connection_id, stream, id }), data: shortOnes(data), relations, ...sourceOf(answer) };
    }
  }
}

const sourceOf = ({ connection_id, connector_key, stream, emitted_at }: Loose): Facts => ({
  connection_id,
  connector_key,
  stream,
  emitted_at,
});

const windowFacts = (window: Loose): Facts => ({
  text: window.text,
  range: [window.start_chars, window.end_chars, window.total_chars],
  match: [window.match_start_chars, window.match_end_chars],
  has_more: window.has_more,
  complete: window.complete,
  revision: window.revision,
});

const exportFacts = ({ count, formats, stream, connection_id }: Loose): Facts => ({
  count,
  stream,
  connection_id,
  formats: formats.map(({ format, estimated_bytes }: Loose) => [format, estimated_bytes]),
});

function parsedOrNot(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
