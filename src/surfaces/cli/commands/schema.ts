// pdpp schema: shows what can be read, how much there is, and which queries are supported.
import type { FieldCapability, StreamSummary } from "../../../contract/answers.ts";
import type {
  SchemaConnector,
  SchemaDocument,
  StreamIndexRow,
  StreamMetadata,
} from "../../../contract/schema-document.ts";
import { FILTER_SIGNS } from "../../../core/filter-text.ts";
import { spanWords } from "../../../core/grant-words.ts";
import { type Command, type CommandContext, UsageError } from "../command.ts";
import { namedConnection } from "../named-connection.ts";
import { nextCommand } from "../next-command.ts";
import { plainJson, printable, printableText } from "../printable.ts";
import { count, table } from "../table.ts";

export const schema: Command = {
  summary: "what can be read: sources, connections, streams with counts, fields",
  usage: "pdpp schema [STREAM] [--connection ID|NAME] [--full]",
  examples: [
    "pdpp schema",
    "pdpp schema messages",
    "pdpp schema messages --connection cin_… --full",
    "pdpp schema --json",
  ],
  options: {
    connection: {
      type: "string",
      value: "ID|NAME",
      about: "the connection, by id or name; needed if several have the stream",
    },
    full: { type: "boolean", about: "every field with its type and capabilities, instead of a summary" },
  },
  async run(context) {
    const { positionals, values, json, out } = context;
    const [stream, ...rest] = positionals;
    if (rest.length > 0) throw new UsageError(`one stream at a time: unexpected argument ${JSON.stringify(rest[0])}`);
    if (values.full === true && stream === undefined) throw new UsageError("--full needs a stream");
    const connection_id = await namedConnection(context);
    const reader = await context.reader();
    const document = await reader.schema({ stream, connection_id, detail: values.full === true ? "full" : undefined });
    if (stream !== undefined) {
      printStream(context, document);
      return 0;
    }
    const { data: streams } = await reader.streams({ connection_id });
    if (json) out(plainJson(JSON.stringify({ ...document, streams })));
    else showIndex(context, document, streams);
    return 0;
  },
};

function showIndex(context: CommandContext, document: SchemaDocument, streams: readonly StreamSummary[]): void {
  const { out, note } = context;
  if (streams.length === 0) {
    out("Nothing here yet.");
    note("Import something: pdpp import PATH. Or explore example data: pdpp serve --demo");
    return;
  }
  const rows = streams.map((row) => [
    row.name,
    row.connection_id,
    row.display_name ?? "",
    row.connector_key,
    row.kind ?? "",
    String(row.record_count),
    row.time_span?.first.slice(0, 10) ?? "",
    row.time_span?.last.slice(0, 10) ?? "",
  ]);
  out(table(["stream", "connection", "name", "source", "kind", "records", "first", "last"], rows, { whole: [0, 1] }));
  const records = streams.reduce((sum, row) => sum + row.record_count, 0);
  const connections = new Set(streams.map((row) => row.connection_id)).size;
  note(`${count(records, "record")} in ${count(streams.length, "stream")} of ${count(connections, "connection")}.`);
  const me = Object.values(document.me ?? {}).flat();
  if (me.length > 0) note(`Me: ${me.map((text) => printable(text)).join(", ")}.`);
  const first = streams.find((row) => row.record_count > 0) ?? streams[0]!;
  note(`Fields: ${nextCommand(context, ["schema", first.name])}`);
  note(`Records: ${nextCommand(context, ["query", first.name], { connection: first.connection_id })}`);
}

/** Prints the capabilities of a stream, once per distinct set. */
export function printStream(context: CommandContext, document: SchemaDocument): void {
  if (context.json) {
    context.out(plainJson(JSON.stringify(document)));
    return;
  }
  for (const connector of document.connectors) {
    for (const stream of connector.streams) if (isMetadata(stream)) showMetadata(context, connector, stream);
  }
}

const isMetadata = (stream: StreamMetadata | StreamIndexRow): stream is StreamMetadata => "object" in stream;

function showMetadata(context: CommandContext, connector: SchemaConnector, stream: StreamMetadata): void {
  const { out, note } = context;
  const connections = stream.granted_connections.map(
    (row) => `${row.connection_id} (${printable(row.display_name ?? "")})`,
  );
  const lines = [
    `${stream.name} of ${printable(connector.display_name)} (${connector.connector_key}), ${stream.semantics === "append_only" ? "append only" : "changing"}`,
    extentWords(stream),
    ...(stream.description === undefined ? [] : [printable(stream.description, 500)]),
    `connections: ${connections.join(", ")}`,
    `key: ${stream.primary_key.join(", ")}${stream.cursor_field === undefined ? "" : `; newest first by ${stream.cursor_field}`}`,
  ];
  const time = stream.time_constraint;
  if (time !== undefined) lines.push(`granted: ${time.field} ${spanWords(time)}`);
  out(`${lines.join("\n")}\n`);
  const fields = Object.entries(stream.field_capabilities);
  out(
    table(
      ["field", "type", "filter", "sort", "search", "aggregate"],
      fields.map(([name, capability]) => fieldRow(name, capability)),
    ),
  );
  for (const view of stream.views) out(`--view ${printable(view.id)}: ${printable(view.fields.join(", "), 300)}`);
  for (const relation of stream.expand_capabilities) {
    out(
      `--expand ${printable(relation.name)}: ${relation.cardinality === "has_one" ? "one" : `up to ${relation.max_limit}`} of ${printable(relation.stream)}`,
    );
  }
  if (stream.schema !== undefined) out(printableText(JSON.stringify(stream.schema, null, 2)));
  const connection = stream.granted_connections[0]!.connection_id;
  note(`Records: ${nextCommand(context, ["query", stream.name], { connection })}`);
  if (stream.schema === undefined)
    note(`JSON Schema: ${nextCommand(context, ["schema", stream.name], { connection, full: true })}`);
}

/** Example: "email: 4694 records, 2023-01-02 to 2026-06-30" */
function extentWords({ kind, record_count = 0, time_span }: StreamMetadata): string {
  const when = time_span === undefined ? "" : `, ${time_span.first.slice(0, 10)} to ${time_span.last.slice(0, 10)}`;
  return `${kind === undefined ? "" : `${kind}: `}${count(record_count, "record")}${when}`;
}

function fieldRow(name: string, capability: FieldCapability): string[] {
  const { type: base, format, items } = capability;
  const type = items !== undefined ? `list of ${items}` : format === undefined ? base : `${base} (${format})`;
  const filters = [
    ...(capability.exact_filter ? ["="] : []),
    ...capability.range_filter.map((operator) => FILTER_SIGNS[operator]),
    ...capability.set_filter.map((operator) => (operator === "ne" ? FILTER_SIGNS.ne : operator)),
  ];
  const uses = Object.entries(capability.aggregation).filter(([, offered]) => offered);
  return [
    name,
    capability.nullable ? `${type}, may be null` : type,
    filters.join(" "),
    capability.sort ? "yes" : "",
    capability.lexical_search ? "words" : "",
    uses.map(([use]) => use).join(" "),
  ];
}
