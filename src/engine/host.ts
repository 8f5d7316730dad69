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

/** A UUID, because Node draws those in advance: other random bytes cost each request a call into the system. */
export const newRequestId = (): string => ID_PREFIX.request + randomUUID();

export function unwrap(reply: { body: string } | { error: ErrorBody } | { needsColumns: true }): string {
  if ("body" in reply) return reply.body;
  if ("error" in reply) throw fromErrorBody(reply.error);
  throw new PdppError("api_error", "no thread keeps columns");
}

/** The engine as a ReadClient under one credential. */
export function engineClient(host: EngineHost, credential: Credential): ReadClient {
  const ask =
    <M extends MethodName, T>(method: M) =>
    async (query: QueryOf<M>): Promise<T> =>
      JSON.parse(await host.call(method, query, credential)) as T;
  return {
    schema: ask("schema"),
    streams: ask("streams"),
    stream: ask("stream"),
    records: ask("records"),
    record: ask("record"),
    window: ask("window"),
    aggregate: ask("aggregate"),
    search: ask("search"),
    connections: async () => JSON.parse(await host.call("connections", {}, credential)) as never,
  };
}
