// An export that a server creates as a job. This module starts it, waits for it, and downloads it from where the last
// attempt stopped.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { ExportJob } from "../../contract/answers.ts";
import { fromErrorBody, PdppError } from "../../contract/errors.ts";
import type { ExportFileQuery } from "../../contract/read.ts";
import { fetchFile } from "../rest/http-host.ts";
import { type CommandContext, text } from "./command.ts";
import { brokenOff, type OutputTotals } from "./file-output.ts";
import { nextCommand } from "./next-command.ts";
import { progress } from "./progress.ts";
import { bytes, count } from "./table.ts";

const POLL_MS = { first: 100, most: 2000 };
/** The number of attempts without a byte of progress before the download gives up. */
const TRIES = 5;

export async function startJob(context: CommandContext, query: ExportFileQuery): Promise<string> {
  return (await context.call("createExport", query)).export_id;
}

export async function downloadJob(
  context: CommandContext,
  id: string,
  output: string,
): Promise<{ job: ExportJob; written: OutputTotals }> {
  const tell = progress();
  try {
    const job = await waitFor(context, id, tell);
    const part = `${output}.${id}.part`;
    await fetchAll(context, job, part, tell);
    const sha256 = await digestOf(part);
    if (sha256 !== job.sha256) {
      await rm(part, { force: true });
      throw new PdppError("api_error", "the downloaded file differs from the export", {
        next_step: `Download it again: \`${again(context, id, output)}\``,
      });
    }
    await rename(part, output);
    return { job, written: { bytes: job.size_bytes!, sha256 } };
  } finally {
    tell(undefined);
  }
}

type Tell = ReturnType<typeof progress>;

async function waitFor(context: CommandContext, id: string, tell: Tell): Promise<ExportJob> {
  for (let wait = POLL_MS.first; ; wait = Math.min(wait * 2, POLL_MS.most)) {
    const job = await context.call("exportJob", { id });
    if (job.error !== undefined) throw fromErrorBody(job.error);
    if (job.status === "succeeded") return job;
    const { records, total } = job.progress;
    tell(`${job.status}: ${records}${total === undefined ? "" : ` of ${count(total, "record")}`}`);
    await sleep(wait);
  }
}

async function fetchAll(context: CommandContext, job: ExportJob, part: string, tell: Tell): Promise<void> {
  const size = job.size_bytes!;
  for (let tries = 1, had = -1; ; tries++) {
    const have = await sizeOf(part);
    if (have === size && size > 0) return;
    // The partial download is longer than the file, so it cannot be a part of that file.
    if (have > size) await rm(part, { force: true });
    if (have > had) tries = 1;
    had = have;
    try {
      await fetchRest(context, job, part, have > size ? 0 : have, (soFar) => tell(`${bytes(soFar)} of ${bytes(size)}`));
      if ((await sizeOf(part)) === size) return;
    } catch (error) {
      const fatal = error instanceof PdppError && error.code !== "store_unavailable";
      if (fatal) throw error;
      if (tries >= TRIES) {
        const next = again(context, job.export_id, part.slice(0, -`.${job.export_id}.part`.length));
        throw brokenOff(text(context.values, "server")!, error, `Continue from there: \`${next}\``);
      }
    }
    await sleep(POLL_MS.first * 2 ** tries);
  }
}

async function fetchRest(
  context: CommandContext,
  job: ExportJob,
  part: string,
  have: number,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const { credential } = await context.connect();
  const range: Record<string, string> = have === 0 ? {} : { Range: `bytes=${have}-`, "If-Range": `"${job.sha256}"` };
  const response = await fetchFile(
    text(context.values, "server")!,
    "exportDownload",
    { id: job.export_id },
    credential,
    range,
  );
  // If the server sends the whole file, the download starts from the beginning.
  const file = await open(part, response.status === 206 ? "a" : "w", 0o600);
  let soFar = response.status === 206 ? have : 0;
  try {
    for await (const piece of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      await file.writeFile(piece);
      soFar += piece.byteLength;
      onBytes(soFar);
    }
    await file.sync();
  } finally {
    await file.close();
  }
}

const sizeOf = async (path: string): Promise<number> => (await stat(path).catch(() => undefined))?.size ?? 0;

async function digestOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of createReadStream(path)) hash.update(piece as Uint8Array);
  return hash.digest("hex");
}

function again({ values }: CommandContext, resume: string, output: string): string {
  return nextCommand({ values }, ["export"], { resume, output });
}
