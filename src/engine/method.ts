// The kinds of engine calls: what each runs with, and who may call it.
import type { KeyObject } from "node:crypto";
import type { z } from "zod";
import type { AuditLog, WriteView } from "../store/store.ts";
import type { Caller } from "./caller.ts";
import type { Answer, ReadContext } from "./read/context.ts";
import { releaseBlobs } from "./unused-blobs.ts";
import type { Removal } from "./write/import-snapshot.ts";

export interface MethodContext extends ReadContext {
  audit: AuditLog;
  /** Does work that takes long, once and outside the snapshot of this read. */
  aside<T>(work: () => Promise<T>): T;
  /** Ends such work. */
  stop?: AbortSignal;
  now: number;
}

export interface WriteContext {
  view: WriteView;
  caller: Caller;
  /** Opens handles. */
  key: KeyObject;
  now: number;
  /** Stored objects that may be removed once the write is durable. */
  unused(names: readonly string[]): void;
}

interface ReadMethod<S extends z.ZodType> {
  kind: "read";
  /** Its query says what has left already: `{records, bytes}`. The log keeps that even if the caller is refused now. */
  tells?: true;
  query: S;
  /** Asked before the query is looked at: who may not call it learns nothing of what it takes. */
  owner?: boolean;
  /** Only tokens of the files lens are let in, and the owner. Its query names the `action`. */
  lens?: "files";
  run(context: MethodContext, query: z.infer<S>): Promise<Answer>;
}

interface WriteMethod<S extends z.ZodType> {
  kind: "write";
  query: S;
  owner?: boolean;
  /** The server's own bookkeeping leaves no line in the audit. */
  silent?: boolean;
  /** Done again by whoever asked, when a power cut takes it back. */
  redoable?: boolean;
  run(context: WriteContext, query: z.infer<S>): Promise<object>;
}

export const read = <S extends z.ZodType>(query: S, run: ReadMethod<S>["run"]): ReadMethod<S> => ({
  kind: "read",
  query,
  run,
});

export const ownerRead = <S extends z.ZodType>(query: S, run: ReadMethod<S>["run"]): ReadMethod<S> => ({
  ...read(query, run),
  owner: true,
});

export const write = <S extends z.ZodType>(query: S, run: WriteMethod<S>["run"]): WriteMethod<S> => ({
  kind: "write",
  query,
  run,
});

export const ownerWrite = <S extends z.ZodType>(query: S, run: WriteMethod<S>["run"]): WriteMethod<S> => ({
  ...write(query, run),
  owner: true,
});

/** Takes records away, and with them the blobs that nothing refers to any more. */
export const removal = <S extends z.ZodType>(
  query: S,
  run: (context: WriteContext, query: z.infer<S>, way: Removal) => Promise<object>,
): WriteMethod<S> =>
  ownerWrite(query, async (context, parsed) => {
    const released = new Set<string>();
    const answer = await run(context, parsed, { now: context.now, onReleased: (blobId) => released.add(blobId) });
    context.unused(await releaseBlobs(context.view, context.caller.subjectId, released, context.now));
    return answer;
  });

/** Calls of the server on its own behalf: no route leads to them. */
export const systemRead = <S extends z.ZodType>(
  query: S,
  run: (context: MethodContext, query: z.infer<S>) => Promise<object | undefined>,
): ReadMethod<S> =>
  ownerRead(query, async (context, parsed) => ({
    body: JSON.stringify((await run(context, parsed)) ?? null),
    records: 0,
    reads: [],
  }));

export const systemWrite = <S extends z.ZodType>(query: S, run: WriteMethod<S>["run"]): WriteMethod<S> => ({
  ...ownerWrite(query, run),
  silent: true,
});

export const answer = (value: object): Answer => ({ body: JSON.stringify(value), records: 0 });
