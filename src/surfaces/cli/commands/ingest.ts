// pdpp ingest: stores records, one JSON object per line.
import { PdppError } from "../../../contract/errors.ts";
import type { IngestReport } from "../../../contract/record.ts";
import { ingestStream } from "../../../engine/write/ingest-stream.ts";
import { send, upload } from "../../rest/http-host.ts";
import { type Command, type CommandContext, type Connected, text, UsageError } from "../command.ts";
import { inputBytes, jsonFile } from "../input.ts";
import { nextCommand } from "../next-command.ts";
import { plainJson } from "../printable.ts";
import { progress } from "../progress.ts";
import { connectionOf, register } from "../sources.ts";
import { bytes, count, table } from "../table.ts";

const REJECTIONS_SHOWN = 20;

export const ingest: Command = {
  summary: "add records from JSON lines, one object per line",
  usage:
    "pdpp ingest STREAM [FILE|-] (--connection ID | --connector KEY [--name X]) [--declaration FILE]\n" +
    '       Lines: {"key": …, "data": {…}, "emitted_at": …, "op"?: "upsert"|"delete"}. Sending a line again changes nothing.',
  examples: [
    "pdpp ingest messages mail.ndjson --connection cin_…",
    "pdpp ingest notes notes.ndjson --declaration notes.json --connector notes --name 'My notes'",
    "my-exporter | pdpp ingest messages --connector mail --json",
    "pdpp ingest messages mail.ndjson --connection cin_… --server http://127.0.0.1:7887",
  ],
  options: {
    connection: { type: "string", value: "ID", about: "the connection that receives the records" },
    connector: { type: "string", value: "KEY", about: "the source; its connection is created if needed" },
    declaration: { type: "string", value: "FILE", about: "register the source with this declaration first" },
    name: { type: "string", value: "NAME", about: "the name of the connection" },
  },
  async run(context) {
    const { positionals, values, json, out } = context;
    const [stream, file, ...rest] = positionals;
    if (stream === undefined) throw new UsageError("specify the stream that the records belong to");
    if (rest.length > 0) throw new UsageError(`one file at a time: unexpected argument ${JSON.stringify(rest[0])}`);
    if (values.connection === undefined && values.connector === undefined && values.declaration === undefined) {
      throw new UsageError("specify the target: --connection ID, or --connector KEY");
    }
    const declaration = values.declaration === undefined ? undefined : await jsonFile(text(values, "declaration")!);
    const source = await inputBytes(file, "Specify a FILE of JSON lines, or pipe the lines in.");
    const connected = await context.connect({ create: declaration !== undefined });
    const key = declaration === undefined ? text(values, "connector") : await registered(context, declaration);
    const connection_id = text(values, "connection") ?? (await place(context, key!));
    const target = { stream, connection_id, ...(key === undefined ? {} : { connector_id: key }) };
    const report = await (values.server === undefined ? ingestHere : ingestThere)(context, connected, target, source);
    if (json) out(plainJson(JSON.stringify(report)));
    else show(context, report);
    return report.records_rejected > 0 ? 7 : 0;
  },
};

async function registered(context: CommandContext, declaration: Parameters<typeof register>[1]): Promise<string> {
  return (await register(context, declaration, text(context.values, "connector"))).connector_key;
}

async function place(context: CommandContext, key: string): Promise<string> {
  const { connection_id, made } = await connectionOf(context, key, text(context.values, "name"));
  if (made) context.note(`Created the connection ${connection_id} for ${key}.`);
  return connection_id;
}

interface Target {
  stream: string;
  connection_id: string;
  connector_id?: string;
}

async function ingestHere(
  _context: CommandContext,
  { host, credential }: Connected,
  target: Target,
  source: AsyncIterable<Uint8Array>,
): Promise<IngestReport> {
  const tell = progress();
  return ingestStream(source, {
    host,
    credential,
    target,
    onProgress: (so_far) => tell(`${count(so_far.records_attempted, "record")}, ${so_far.records_rejected} rejected`),
  }).finally(() => tell(undefined));
}

async function ingestThere(
  { values }: CommandContext,
  { credential }: Connected,
  target: Target,
  source: AsyncIterable<Uint8Array>,
): Promise<IngestReport> {
  const { stream, ...query } = target;
  const url = `${text(values, "server")!.replace(/\/+$/, "")}/v1/ingest/${encodeURIComponent(stream)}?${new URLSearchParams(query)}`;
  const headers = {
    ...("token" in credential ? { Authorization: `Bearer ${credential.token}` } : {}),
    "Content-Type": "application/x-ndjson",
  };
  // Sends an empty body first, so that a missing permission or an unknown stream is reported before any record is sent.
  await send(url, { method: "POST", headers, body: "" });
  const tell = progress();
  let sent = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const piece of source) {
      yield piece;
      sent += piece.byteLength;
      tell(`${bytes(sent)} sent`);
    }
  }
  try {
    return JSON.parse(await upload(url, headers, counted())) as IngestReport;
  } catch (error) {
    if (!(error instanceof PdppError) || error.code !== "store_unavailable") throw error;
    const next_step =
      "Send the same input again when the server is reachable; lines that are already stored change nothing.";
    throw new PdppError(error.code, error.message, { next_step });
  } finally {
    tell(undefined);
  }
}

function show(context: CommandContext, report: IngestReport): void {
  const { out, note } = context;
  if (report.records_attempted === 0) {
    out("The input has no records.");
    return;
  }
  const { records_new, records_changed, records_unchanged, records_rejected } = report;
  out(
    `${count(report.records_attempted, "record")}: ${records_new} new, ${records_changed - records_new} changed, ${records_unchanged} unchanged, ${records_rejected} refused.`,
  );
  if (report.records_rejected > 0) {
    const rows = report.rejections
      .slice(0, REJECTIONS_SHOWN)
      .map((row) => [String(row.input_index + 1), row.code, row.message]);
    out(table(["record", "code", "why"], rows, { cellMax: 160 }));
    if (report.records_rejected > rows.length)
      note(`${report.records_rejected - rows.length} more; --json lists them.`);
    note("Correct those lines and send the file again; lines that are already stored change nothing.");
  }
  note(`Read them: ${nextCommand(context, ["query", report.stream], { connection: report.connection_id })}`);
}
