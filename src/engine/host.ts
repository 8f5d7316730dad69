// EngineHost: where the engine runs. In this thread for a command, in threads of its own for a server; callers see no difference.
import { randomUUID } from "node:crypto";
import { type ErrorBody, fromErrorBody, PdppError } from "../contract/errors.ts";
import { ID_PREFIX } from "../contract/ids.ts";
import type { ReadClient } from "../contract/read-client.ts";
import type { Credential } from "./caller.ts";
import type { MethodName, QueryOf } from "./methods.ts";

export interface EngineHost {
  /** The answer as JSON text; a failed call rejects with a PdppError. */
  call<M extends MethodName>(method: M, query: QueryOf<M>, credential: Credential, requestId?: string): Promise<string>;
  /** Tells the projections that a stream has news. */
  changed(streamNo: number): void;
  close(): Promise<void>;
}

/** A host that runs jobs. Of all processes that serve an owner one does at a time. */
export interface JobHost {
  /** From now on jobs run here, and what they write is written as this; what somebody left is taken up. */
  begin(as: Credential): void;
  /** Another process wrote something: a job to run, or to stop. */
  news(): Promise<void>;
  /** Nothing runs here any more; all else goes on. */
  rest(): Promise<void>;
}

/** A UUID, because Node draws those in advance: other random bytes cost each request a call into the system. */
export const newRequestId = (): string => ID_PREFIX.request + randomUUID();

export function unwrap(reply: { body: string } | { error: ErrorBody } | { needsColumns: true }): string {
  if ("body" in reply) return reply.body;
  if ("error" in reply) throw fromErrorBody(reply.error);
  throw new PdppError("api_error", "no thread keeps columns");
}

/** The engine as a ReadClient under one credential. With a request id, every call it makes stands in the log under that. */
export function engineClient(host: EngineHost, credential: Credential, requestId?: string): ReadClient {
  const ask =
    <M extends MethodName, T>(method: M) =>
    async (query: QueryOf<M>): Promise<T> =>
      JSON.parse(await host.call(method, query, credential, requestId)) as T;
  const blob = ask<"blob", { blobId: string; mimeType: string; sizeBytes: number; sha256: string }>("blob");
  return {
    schema: ask("schema"),
    streams: ask("streams"),
    stream: ask("stream"),
    records: ask("records"),
    record: ask("record"),
    window: ask("window"),
    aggregate: ask("aggregate"),
    search: ask("search"),
    exportHandle: ask("exportHandle"),
    exportInfo: ask("exportInfo"),
    blob: async (query) => {
      const { blobId, mimeType, sizeBytes, sha256 } = await blob(query);
      return { object: "blob", blob_id: blobId, mime_type: mimeType, size_bytes: sizeBytes, sha256 };
    },
    connections: async () => JSON.parse(await host.call("connections", {}, credential, requestId)) as never,
  };
}
