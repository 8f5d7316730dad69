// Exports over HTTP: a file that is streamed under the grant. The stream stops as soon as the grant ends.
import { PdppError } from "../../contract/errors.ts";
import type { ExportFileQuery, ExportFormat } from "../../contract/read.ts";
import type { Credential } from "../../engine/caller.ts";
import { exportName } from "../../engine/export/files.ts";
import { MEDIA_TYPES } from "../../engine/export/formats.ts";
import { exportExpired } from "../../engine/export/jobs.ts";
import { type ExportPiece, type ExportStream, openExportStream } from "../../engine/export/stream.ts";
import type { EngineHost } from "../../engine/host.ts";
import type { ObjectStorage } from "../../engine/objects-place.ts";
import { holderName } from "../http/credential.ts";
import { fileAnswer, storedFile } from "../http/file-answer.ts";
import { baseHeaders, type Exchange } from "../http/respond.ts";

export interface ExportFiles {
  objects: ObjectStorage;
  host: EngineHost;
}

export interface ExportSurface {
  stream(exchange: Exchange, credential: Credential, query: ExportFileQuery): Promise<Response>;
  download(exchange: Exchange, credential: Credential, query: { id: string }): Promise<Response>;
}

/** The number of exports that one caller may stream at once. Each holds a place in the scan queue. */
const STREAMS_MAX = 4;

export function exportSurface({ objects, host }: ExportFiles): ExportSurface {
  const streaming = new Map<string, number>();
  const enter = (credential: Credential): (() => void) => {
    const name = holderName(credential);
    const running = streaming.get(name) ?? 0;
    if (running >= STREAMS_MAX) {
      throw new PdppError("rate_limit_exceeded", `this token already has ${STREAMS_MAX} exports streaming`, {
        next_step: "Wait for one to end, or start a job: POST /v1/exports.",
      });
    }
    streaming.set(name, running + 1);
    return () => {
      const left = streaming.get(name)! - 1;
      if (left === 0) streaming.delete(name);
      else streaming.set(name, left);
    };
  };
  return {
    async stream(exchange, credential, query) {
      const { request, requestId } = exchange;
      if (request.method === "HEAD") {
        const { format = "jsonl", ...asked } = query;
        const info = await host.call("exportInfo", asked, credential, requestId);
        return new Response(null, { headers: { ...baseHeaders(requestId), ...fileHeaders(info.stream, format) } });
      }
      const leave = enter(credential);
      try {
        const opened = await openExportStream({ host, credential, requestId }, query);
        // The first piece is read before the headers are sent, because until then an error can still be a proper
        // response.
        const first = await opened.pieces.next();
        const headers = { ...baseHeaders(requestId), ...fileHeaders(opened.query.stream, opened.format) };
        return new Response(streamOf(exchange, opened, first, leave), { headers });
      } catch (error) {
        leave();
        throw error;
      }
    },
    async download(exchange, credential, { id }) {
      const { requestId } = exchange;
      const job = await host.call("exportDownload", { id }, credential, requestId);
      const { stream, connection_id, progress, format } = job;
      const sizeBytes = job.size_bytes!;
      const sha256 = job.sha256!;
      const digest = Buffer.from(sha256, "hex").toString("base64");
      return fileAnswer(exchange, {
        ...storedFile({ objects, name: exportName(job.file), sha256, missing: exportExpired }),
        sizeBytes,
        headers: { ...fileHeaders(stream, format), "Repr-Digest": `sha-256=:${digest}:` },
        recheck: () => host.call("exportAllowed", { id }, credential, requestId),
        served(bytes) {
          // The number of records in a partial download is unknown.
          const sent = { query: { stream, connection_id }, records: bytes === sizeBytes ? progress.records : 0, bytes };
          host.call("exportServed", sent, credential, requestId).catch(() => undefined);
        },
      });
    },
  };
}

/**
 * A failure after the first byte closes the connection, so that the client sees a broken transfer and never a silently
 * truncated file.
 */
function streamOf(
  exchange: Exchange,
  { pieces, served }: ExportStream,
  first: IteratorResult<ExportPiece, void>,
  leave: () => void,
): ReadableStream<Uint8Array> {
  const sent = { records: 0, bytes: 0 };
  let ended = false;
  const end = async (): Promise<void> => {
    if (ended) return;
    ended = true;
    leave();
    await pieces.return();
    // After a revocation this call is refused, and the log records the refusal with the number of records and bytes
    // sent.
    await served(sent).catch(() => undefined);
  };
  let ready: IteratorResult<ExportPiece, void> | undefined = first;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          for (;;) {
            const { done, value } = ready ?? (await pieces.next());
            ready = undefined;
            if (done) {
              await end();
              controller.close();
              return;
            }
            sent.records += value.records;
            // A Parquet piece can be empty while its row group is still being filled.
            if (value.bytes.byteLength === 0) continue;
            sent.bytes += value.bytes.byteLength;
            controller.enqueue(value.bytes);
            return;
          }
        } catch (error) {
          exchange.abort?.();
          await end();
          controller.error(error);
        }
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
}

function fileHeaders(stream: string, format: ExportFormat): Record<string, string> {
  return {
    "Content-Type": MEDIA_TYPES[format],
    "Content-Disposition": `attachment; filename="${fileName(stream)}.${format}"`,
  };
}

/** The name is safe in a header, in a shell and on every disk. */
const fileName = (stream: string): string =>
  stream
    .replace(/[^A-Za-z0-9_.-]/g, "_")
    .replace(/^[.-]+/, "_")
    .slice(0, 100);
