// pdpp export: writes records to a file, from a home or a server. An interrupted download can be resumed.
import { existsSync } from "node:fs";
import type { ExportFileQuery } from "../../../contract/read.ts";
import { openExportStream } from "../../../engine/export/stream.ts";
import { fetchFile } from "../../rest/http-host.ts";
import { type Command, type CommandContext, oneOf, text, UsageError } from "../command.ts";
import { downloadJob, startJob } from "../export-job.ts";
import { brokenOff, type OutputTotals, writeAside, writeOut } from "../file-output.ts";
import { namedConnection } from "../named-connection.ts";
import { nextCommand, sameCommand } from "../next-command.ts";
import { progress } from "../progress.ts";
import { confirm } from "../prompt.ts";
import { oneStream, STREAM_QUERY_OPTIONS, streamQueryFrom } from "../stream-query.ts";
import { bytes, count } from "../table.ts";

const FORMATS = ["jsonl", "csv", "parquet"] as const;

export const exportCommand: Command = {
  summary: "write records to a file: JSON lines, CSV or Parquet",
  usage:
    "pdpp export STREAM|HANDLE [--connection ID|NAME] [--filter FIELD=VALUE …] [--sort [-]FIELD] [--order asc|desc]\n" +
    "       [--fields a,b | --view V] [--format jsonl|csv|parquet] [--output FILE] [--job]\n" +
    "       Without --output, records are written to standard output. With --server, --job prepares the file there, so that a download can resume:\n" +
    "       pdpp export --resume JOB --output FILE",
  examples: [
    "pdpp export messages --connection cin_… --filter 'sent_at>=2025-01-01' > messages.jsonl",
    "pdpp export transactions --connection cin_… --format csv --sort -amount --output transactions.csv",
    "pdpp export events --fields title,starts_at --format parquet --output events.parquet --json",
    "pdpp export messages --connection cin_… --job --output messages.jsonl --server http://127.0.0.1:7887",
  ],
  options: {
    ...STREAM_QUERY_OPTIONS,
    format: { type: "string", value: "jsonl|csv|parquet", about: "the format of the file (default: jsonl)" },
    output: {
      type: "string",
      value: "FILE",
      about: "write to this file instead of standard output; asks before replacing a file",
    },
    job: { type: "boolean", about: "with --server: prepare the file there first, so that the download can resume" },
    resume: { type: "string", value: "JOB", about: "continue the download of an export that was prepared with --job" },
    yes: { type: "boolean", short: "y", about: "replace the --output file without asking" },
  },
  async run(context) {
    const { values, json } = context;
    const output = text(values, "output");
    const resume = text(values, "resume");
    if (values.job === true || resume !== undefined) return runJob(context, output, resume);
    const query = await queryFrom(context);
    if (output === undefined && json)
      throw new UsageError("--json describes the written file: specify one with --output");
    if (output === undefined && query.format === "parquet" && process.stdout.isTTY)
      throw new UsageError("Parquet is binary: specify a file with --output");
    if (output !== undefined && !(await mayWrite(output, values.yes === true))) return 4;
    const tell = progress();
    try {
      const showProgress = (soFar: OutputTotals, total?: number): void =>
        tell(total === undefined ? bytes(soFar.bytes) : `${soFar.records} of ${count(total, "record")}`);
      const pieces =
        values.server === undefined
          ? await piecesHere(context, query, showProgress)
          : await piecesThere(context, query, showProgress);
      const written = await (output === undefined ? writeOut(pieces) : writeAside(output, pieces));
      tell(undefined);
      if (output !== undefined) report(context, { ...written, path: output, format: query.format! });
      return 0;
    } finally {
      tell(undefined);
    }
  },
};

/** An existing file is replaced only with the user's consent. */
const mayWrite = async (path: string, isAgreed: boolean): Promise<boolean> =>
  isAgreed ||
  !existsSync(path) ||
  confirm(`${path} exists. Replace it?`, "Add --yes to replace it, or choose another file.");

async function runJob(context: CommandContext, output: string | undefined, resume: string | undefined) {
  const { values, positionals } = context;
  if (values.server === undefined)
    throw new UsageError("--job needs --server; a home on this machine writes the file directly");
  if (output === undefined) throw new UsageError("specify the file with --output");
  if (resume !== undefined && positionals.length > 0)
    throw new UsageError("--resume takes no STREAM: the job already has its query");
  if (!(await mayWrite(output, values.yes === true))) return 4;
  const id = resume ?? (await startJob(context, await queryFrom(context)));
  if (resume === undefined)
    context.note(`${id}; if the download is interrupted: ${nextCommand(context, ["export"], { resume: id, output })}`);
  const { job, written } = await downloadJob(context, id, output);
  report(context, { ...written, records: job.progress.records, path: output, format: job.format, export_id: id });
  return 0;
}

async function queryFrom(context: CommandContext): Promise<ExportFileQuery> {
  const { positionals, values } = context;
  const name = oneStream(positionals);
  return {
    ...(name.startsWith("pdpp://") ? { handle: name } : { stream: name }),
    ...streamQueryFrom(values),
    format: oneOf(values, "format", FORMATS) ?? "jsonl",
    connection_id: await namedConnection(context, { readOnly: values.server === undefined }),
  };
}

type ReportProgress = (soFar: OutputTotals, total?: number) => void;

async function piecesHere(context: CommandContext, query: ExportFileQuery, showProgress: ReportProgress) {
  const { host, credential } = await context.connect({ readOnly: true });
  const opened = await openExportStream({ host, credential }, query);
  return (async function* () {
    const sent = { records: 0, bytes: 0 };
    try {
      for await (const piece of opened.pieces) {
        sent.records += piece.records;
        sent.bytes += piece.bytes.byteLength;
        yield piece;
        showProgress(sent, opened.total);
      }
    } finally {
      await opened.served(sent);
    }
  })();
}

async function piecesThere(context: CommandContext, query: ExportFileQuery, showProgress: ReportProgress) {
  const { credential } = await context.connect();
  const server = text(context.values, "server")!;
  const response = await fetchFile(server, "export", { ...query }, credential);
  return (async function* () {
    const sent = { bytes: 0 };
    try {
      for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) {
        sent.bytes += part.byteLength;
        yield { bytes: part };
        showProgress(sent);
      }
    } catch (error) {
      const next = sameCommand(context, "export", { job: true, output: text(context.values, "output") ?? "FILE" });
      throw brokenOff(
        server,
        error,
        `Try again, or let the server prepare the file first, so that the download can resume: \`${next}\``,
      );
    }
  })();
}

interface ExportReport extends OutputTotals {
  path: string;
  format: string;
  export_id?: string;
}

function report({ json, out }: CommandContext, file: ExportReport): void {
  if (json) {
    out(JSON.stringify({ object: "export_file", ...file }));
    return;
  }
  const records = file.records === undefined ? "" : `${count(file.records, "record")}, `;
  out(`${file.path}: ${records}${bytes(file.bytes)}, SHA-256 ${file.sha256}`);
}
