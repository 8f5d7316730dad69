// EngineHost: where the engine runs. In this thread for a command, in its own threads for a server; callers see no
// difference.
import { randomUUID } from "node:crypto";
import { type ErrorBody, fromErrorBody, PdppError } from "../contract/errors.ts";
import { ID_PREFIX } from "../contract/ids.ts";
import type { ReadClient } from "../contract/read-client.ts";
import type { Credential } from "./caller.ts";
import type { AnswerOf, CallName, QueryOf } from "./calls/calls.ts";

declare const content: unique symbol;

/** JSON text of a known content. */
export type JsonText<T> = string & { readonly [content]: T };

export interface EngineHost {
  /** A failed call rejects with a PdppError. */
  call<C extends CallName>(
    name: C,
    query: QueryOf<C>,
    credential: Credential,
    requestId?: string,
  ): Promise<AnswerOf<C>>;
  /** The answer as the engine rendered it, so that a surface can pass it on without parsing it. */
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

/** How a host is called: the name of a call and its query, answered as text. */
type Ask = (name: CallName, query: object, credential: Credential, requestId?: string) => Promise<string>;

/** A host built from the given way to call it. The text of answers is parsed only in this file. */
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

/** An answer's text with its content changed. */
export const changeAnswer = async <T>(text: string, change: (answer: T) => T | Promise<T>): Promise<string> =>
  JSON.stringify(await change(JSON.parse(text) as T));

/** Wraps the calls of a host. */
export const hostAround = (host: EngineHost, ask: (next: Ask) => Ask): EngineHost =>
  createHost(
    ask((name, query, credential, requestId) => host.callText(name, query as never, credential, requestId)),
    host,
  );

/** A UUID, because Node generates those in advance: other random bytes would cost each request a system call. */
export const newRequestId = (): string => ID_PREFIX.request + randomUUID();

export function unwrap(reply: { body: string } | { error: ErrorBody } | { needsColumns: true }): string {
  if ("body" in reply) return reply.body;
  if ("error" in reply) throw fromErrorBody(reply.error);
  throw new PdppError("api_error", "no thread keeps columns");
}

/** The engine as a ReadClient under one credential. With a request id, every call it makes is logged under that id. */
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
