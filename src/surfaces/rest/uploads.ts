// Files uploaded in pieces. Each piece gives its offset, and an interrupted upload continues where it stopped.
import { PdppError } from "../../contract/errors.ts";
import type { ImportUpload } from "../../contract/import-upload.ts";
import type { Credential } from "../../engine/caller.ts";
import type { EngineHost } from "../../engine/host.ts";
import type { Uploads } from "../../engine/uploads.ts";
import { bodyBytes } from "../http/body.ts";
import { baseHeaders, type Exchange, json } from "../http/respond.ts";

export interface UploadSurface {
  state(exchange: Exchange, credential: Credential, query: { id: string }): Promise<Response>;
  send(exchange: Exchange, credential: Credential, query: { id: string }): Promise<Response>;
}

export function uploadSurface({ files, host }: { files: Uploads; host: EngineHost }): UploadSurface {
  /** Only one piece is accepted at a time, because two would interleave. */
  const sending = new Set<string>();
  return {
    async state(exchange, credential, { id }) {
      const upload = await host.call("importUpload", { id }, credential, exchange.requestId);
      if (exchange.request.method === "HEAD") return new Response(null, { headers: headersOf(exchange, upload) });
      const answer = json(exchange, JSON.stringify(upload));
      for (const [name, value] of Object.entries(headersOf(exchange, upload))) answer.headers.set(name, value);
      answer.headers.set("Content-Type", "application/json");
      return answer;
    },
    async send(exchange, credential, { id }) {
      const { request, requestId } = exchange;
      const upload = await host.call("sendUpload", { id }, credential, requestId);
      const offset = offsetOf(request);
      if (sending.has(id)) throw new PdppError("job_already_running", "another piece of this file is being received");
      sending.add(id);
      try {
        const here = await files.bytes(id);
        if (offset !== here) {
          throw new PdppError("stale_handle", `${here} bytes have arrived, but this piece begins at ${offset}`, {
            param: "Upload-Offset",
            next_step: `Send from there: PATCH ${upload.upload_url} with Upload-Offset: ${here}`,
          });
        }
        const bytes = bodyBytes(request, Number.POSITIVE_INFINITY);
        const at = await files.append(id, bytes, { offset, size: upload.size });
        return new Response(null, { status: 204, headers: headersOf(exchange, { ...upload, offset: at }) });
      } finally {
        sending.delete(id);
      }
    },
  };
}

const headersOf = ({ requestId }: Exchange, { offset, size }: ImportUpload): Record<string, string> => ({
  ...baseHeaders(requestId),
  "Upload-Offset": String(offset),
  "Upload-Length": String(size),
});

function offsetOf(request: Request): number {
  const offset = request.headers.get("upload-offset") ?? "";
  if (/^\d{1,15}$/.test(offset)) return Number(offset);
  throw new PdppError("invalid_request", "the request does not specify the position of the piece", {
    param: "Upload-Offset",
    next_step: "Send the header Upload-Offset: 0 with the first piece.",
  });
}
