// EngineHost: where the engine runs. That is this thread for a command, and separate threads for a server; callers see
// no difference.
import { randomUUID } from "node:crypto";
import { type ErrorBody, fromErrorBody, PdppError } from "../contract/errors.ts";
import { ID_PREFIX } from "../contract/ids.ts";
import type { ReadClient } from "../contract/read-client.ts";
import type { Credential } from "./caller.ts";
import type { AnswerOf, CallName, QueryOf } from "./calls/calls.ts";

declare const content: unique symbol;

/** JSON text whose content has a known type. */
export type JsonText<T> = string & { readonly [content]: T };

export interface EngineHost {
  /** A failed call rejects with a PdppError. */
  call<C extends CallName>(
    name: C,
    query: QueryOf<C>,
    credential: Credential,
    requestId?: string,
  ): Promise<AnswerOf<C>>;
  /** Returns the result as the engine's JSON text, so that a surface can pass it on without parsing it. */
  callText<C extends CallName>(
    name: C,
    query: QueryOf<C>,
    credential: Credential,
    requestId?: string,
  ): Promise<JsonText<AnswerOf<C>>>;
  /** Tells the projections that a stream has changed. */
  changed(streamNo: number): void;
  close(): Promise<void>;
}

/** Makes a call by name with its query, and returns the result as text. */
type Ask = (name: CallName, query: object, credential: Credential, requestId?: string) => Promise<string>;

/** Creates a host from a function that makes calls. Results are parsed only in this file. */
export function createHost(ask: Ask, rest: Pick<EngineHost, "changed" | "close">): EngineHost {
  return {
    call: async (name, query, credential, requestId) =>
      JSON.parse(await ask(name, query as object, credential, requestId)) as never,
    callText: (name, query, credential, requestId) =>
      ask(name, query as object, credential, requestId) as Promise<never>,
    changed: (streamNo) => rest.changed(streamNo),
    close: () => rest.close(),
  };
}

/** Changes the content of a result given as text. */
export const changeAnswer = async <T>(text: string, change: (answer: T) => T | Promise<T>): Promise<string> =>
  JSON.stringify(await change(JSON.parse(text) as T));

/** Wraps a host's calls. */
export const hostAround = (host: EngineHost, ask: (next: Ask) => Ask): EngineHost =>
  createHost(
    ask((name, query, credential, requestId) => host.callText(name, query as never, credential, requestId)),
    host,
  );

/**
 * A UUID, because Node generates random bytes for UUIDs in advance. Other random bytes would cost a system call per
 * request.
 */
export const newRequestId = (): string => ID_PREFIX.request + randomUUID();

export function unwrap(reply: { body: string } | { error: ErrorBody } | { needsColumns: true }): string {
  if ("body" in reply) return reply.body;
  if ("error" in reply) throw fromErrorBody(reply.error);
  throw new PdppError("api_error", "no thread has columns");
}

/** The engine as a ReadClient with one credential. If a request id is given, every call is logged under it. */
export function engineClient(host: EngineHost, credential: Credential, requestId?: string): ReadClient {
  const ask =
    <C extends CallName>(name: C) =>
    (query: QueryOf<C>): Promise<AnswerOf<C>> =>
      host.call(name, query, credential, requestId);
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
    async blob(query) {
      const { blobId, mimeType, sizeBytes, sha256 } = await ask("blob")(query);
      return { object: "blob", blob_id: blobId, mime_type: mimeType, size_bytes: sizeBytes, sha256 };
    },
    link: ask("signLink"),
    connections: () => ask("connections")({}),
  };
}
