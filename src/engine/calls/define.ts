// How a call is defined: one object from which types, lanes, routes, effects, hosted refusals and audit words are
// derived.
import type { KeyObject } from "node:crypto";
import type { z } from "zod";
import type { Component, ComponentName } from "../../contract/components.ts";
import type { RouteFacts } from "../../contract/route.ts";
import type { AuditLog, AuditProgress, Awaitable, WriteView } from "../../store/store.ts";
import type { Caller } from "../caller.ts";
import type { Answer, ReadContext } from "../read/context.ts";
import { releaseBlobs } from "../unused-blobs.ts";
import type { Removal } from "../write/import-snapshot.ts";
import type { Effect, Services } from "./services.ts";

/** Which thread runs a call. */
export type Lane = "rows" | "scans" | "writer" | "audit";

export interface MethodContext extends ReadContext {
  audit: AuditLog;
  /** Runs long work once, outside the snapshot of this read. */
  aside<T>(work: () => Promise<T>): T;
  /** Stops such work. */
  stop?: AbortSignal;
  /** The progress of the running check of the audit log; shared by all calls of one thread. */
  verification: { progress?: AuditProgress };
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

/** Everything about a call except how it runs. */
interface CallFacts<Q extends z.ZodType, T> {
  query: Q;
  /** The name of the answer's schema; a call with a route has one, unless it streams or returns nothing. */
  answer?: ComponentName;
  route?: RouteFacts;
  /** Its name on the activity page, in the past tense. Calls without words leave no entry that people read. */
  words?: string;
  /** Effects in the serving process after the call has succeeded. */
  effects?: readonly Effect[];
  /**
   * Whether it creates access that outlives the owner's session: such a call needs a recent password if it comes from a
   * session (G-04). Calls that revoke or narrow access never need one.
   */
  lastingAccess?: true | ((query: z.output<Q>) => boolean);
  /** Why hosted owners cannot use this call. */
  notHosted?: string;
  /** Removes what hosted owners may not have from the answer. */
  hosted?(answer: T): T;
  /** Checks by the serving process before the call. */
  before?(services: Services, query: z.input<Q>): Promise<void>;
  /** Parts of the answer that only the serving process knows: the progress of running work, files that it holds. */
  complete?(services: Services, answer: T, query: z.input<Q>): Awaitable<T>;
}

interface ReadParts<Q extends z.ZodType, T> extends CallFacts<Q, T> {
  /** Answered alongside the running call in its lane, not after it. */
  passesQueue?: true;
  /** Reads use rows unless they scan. */
  lane?: "scans" | "audit";
  /**
   * The query reports bytes that have already been sent. The audit log records them even if the caller is refused now.
   */
  tells?: true;
  /** Tokens of the files lens and the owner are admitted; the query names the `action`. */
  lens?: "files";
  /** Anyone may call it, without a token. */
  open?: true;
  run(context: MethodContext, query: z.output<Q>): Promise<Answer<T>>;
}

interface WriteParts<Q extends z.ZodType, T, More extends unknown[] = []> extends CallFacts<Q, T> {
  /** The caller repeats it when a power cut undoes it. */
  redoable?: true;
  /** Does not wait for a stalled writer (0022). Every call that ends access is urgent as well. */
  urgent?: true;
  run(context: WriteContext, query: z.output<Q>, ...more: More): Promise<T>;
}

export type Access = "app" | "owner" | "system";

interface ReadCall<Q extends z.ZodType, T> extends ReadParts<Q, T> {
  kind: "read";
  access: Access;
}

interface WriteCall<Q extends z.ZodType, T> extends WriteParts<Q, T> {
  kind: "write";
  access: Access;
}

/**
 * A definition; access is checked before the query is parsed, so a refused caller learns nothing about its parameters.
 */
export type AnyCall = ReadCall<z.ZodType, unknown> | WriteCall<z.ZodType, unknown>;

/** With the name of a schema, the answer has the type of that schema; otherwise the type that `run` returns. */
interface DefineRead {
  <Q extends z.ZodType, const A extends ComponentName>(
    parts: ReadParts<Q, Component<A>> & { answer: A },
  ): ReadCall<Q, Component<A>>;
  <Q extends z.ZodType, T>(parts: ReadParts<Q, T>): ReadCall<Q, T>;
}

interface DefineWrite<More extends unknown[] = []> {
  <Q extends z.ZodType, const A extends ComponentName>(
    parts: WriteParts<Q, Component<A>, More> & { answer: A },
  ): WriteCall<Q, Component<A>>;
  <Q extends z.ZodType, T>(parts: WriteParts<Q, T, More>): WriteCall<Q, T>;
}

const readsOf =
  (access: Access): DefineRead =>
  <Q extends z.ZodType, T>(parts: ReadParts<Q, T>): ReadCall<Q, T> => ({ ...parts, kind: "read", access });
const writesOf =
  (access: Access): DefineWrite =>
  <Q extends z.ZodType, T>(parts: WriteParts<Q, T>): WriteCall<Q, T> => ({ ...parts, kind: "write", access });
const removalsOf =
  (access: Access): DefineWrite<[removal: Removal]> =>
  <Q extends z.ZodType, T>(parts: WriteParts<Q, T, [removal: Removal]>): WriteCall<Q, T> => ({
    ...releasing(parts),
    kind: "write",
    access,
  });

export const read = readsOf("app");
export const ownerRead = readsOf("owner");
export const write = writesOf("app");
export const ownerWrite = writesOf("owner");
export const systemWrite = writesOf("system");

/** A write of the owner that removes records, and with them blobs that no record refers to any more. */
export const removal = removalsOf("owner");
/** Like `removal`, for calls that the server makes on its own behalf. */
export const systemRemoval = removalsOf("system");

function releasing<Q extends z.ZodType, T>(parts: WriteParts<Q, T, [removal: Removal]>): WriteParts<Q, T> {
  return {
    ...parts,
    async run(context, query) {
      const released = new Set<string>();
      const { now } = context;
      const answered = await parts.run(context, query, { now, onReleased: (blobId) => released.add(blobId) });
      const unused = await releaseBlobs(context.view, context.caller.subjectId, released, now);
      // A power cut may undo a write that is not synced: its objects stay listed until a later write is synced.
      if (parts.redoable !== true) context.unused(unused);
      return answered;
    },
  };
}

/** The JSON representation of a value. */
type WireAnswer<T> = Exclude<T, undefined> | (undefined extends T ? null : never);

/** Calls of the server on its own behalf have no route and are not logged. */
export function systemRead<Q extends z.ZodType, T>(
  parts: Omit<ReadParts<Q, WireAnswer<T>>, "run"> & { run(context: MethodContext, query: z.output<Q>): Promise<T> },
): ReadCall<Q, WireAnswer<T>> {
  return {
    ...parts,
    kind: "read",
    access: "system",
    run: async (context, query) => ({ ...answer((await parts.run(context, query)) as WireAnswer<T>), reads: [] }),
  };
}

export const answer = <T>(value: T): Answer<T> => ({ body: JSON.stringify(value ?? null), records: 0 });

/** An answer that is not logged: polled progress, and data for the owner's own pages. */
export const unlogged = <T>(value: T): Answer<T> => ({ ...answer(value), reads: [] });
