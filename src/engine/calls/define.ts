// How a call is defined: one object from which types, lanes, routes, effects, hosted refusals and audit texts are
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

/** The thread that runs a call. */
export type Lane = "rows" | "scans" | "writer" | "audit";

export interface MethodContext extends ReadContext {
  audit: AuditLog;
  /** Runs long work once, outside this read's snapshot. */
  aside<T>(work: () => Promise<T>): T;
  /** Stops work that was started with `aside`. */
  stop?: AbortSignal;
  /** The progress of the running audit log verification, shared by all calls of one thread. */
  verification: { progress?: AuditProgress };
  now: number;
}

export interface WriteContext {
  view: WriteView;
  caller: Caller;
  /** Opens handles and sealed secrets. */
  key: KeyObject;
  now: number;
  /** Reports stored objects that can be removed once the write is durable. */
  unused(names: readonly string[]): void;
}

/** Everything about a call except how it runs. */
interface CallFacts<Q extends z.ZodType, T> {
  query: Q;
  /** The name of the result's schema. Every call with a route has one, unless it streams or returns nothing. */
  answer?: ComponentName;
  route?: RouteFacts;
  /**
   * The call's description on the activity page, in the past tense. Calls without it leave no entry that people read.
   */
  words?: string;
  /** Effects in the serving process after the call has succeeded. */
  effects?: readonly Effect[];
  /**
   * True if the call creates access that outlives the owner's session. A session then needs a recent password to make
   * it (G-04). Calls that revoke or narrow access never need one.
   */
  lastingAccess?: true | ((query: z.output<Q>) => boolean);
  /** Why hosted owners cannot use this call. */
  notHosted?: string;
  /** Removes the parts of the result that hosted owners may not have. */
  hosted?(answer: T): T;
  /** Checks that the serving process makes before the call. */
  before?(services: Services, query: z.input<Q>): Promise<void>;
  /** Adds the parts of the result that only the serving process has, such as the progress of running work. */
  complete?(services: Services, answer: T, query: z.input<Q>): Awaitable<T>;
}

interface ReadParts<Q extends z.ZodType, T> extends CallFacts<Q, T> {
  /** If true, the call runs alongside the current call in its lane, not after it. */
  passesQueue?: true;
  /** Reads run in the rows lane unless they scan. */
  lane?: "scans" | "audit";
  /**
   * The query reports bytes that have already been sent. The audit log records them even if the caller would be refused
   * now.
   */
  tells?: true;
  /** Admits tokens for the files lens, and the owner. The query contains the `action`. */
  lens?: "files";
  /** Anyone may call it, without a token. */
  open?: true;
  run(context: MethodContext, query: z.output<Q>): Promise<Answer<T>>;
}

interface WriteParts<Q extends z.ZodType, T, More extends unknown[] = []> extends CallFacts<Q, T> {
  /** If a power cut undoes this write, the caller repeats it. */
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
 * A call definition. Access is checked before the query is parsed, so a refused caller learns nothing about the
 * parameters.
 */
export type AnyCall = ReadCall<z.ZodType, unknown> | WriteCall<z.ZodType, unknown>;

/**
 * If `answer` is the name of a schema, the result has that schema's type; otherwise it has the type that `run` returns.
 */
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

/** An owner's write that removes records, along with blobs that no record refers to any more. */
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
      // A power cut may undo a write that is not synced, so its objects remain listed until a later write is synced.
      if (parts.redoable !== true) context.unused(unused);
      return answered;
    },
  };
}

/** A value's JSON representation. */
type WireAnswer<T> = Exclude<T, undefined> | (undefined extends T ? null : never);

/** Calls that the server makes on its own behalf have no route and are not logged. */
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

/** A result that is not logged: polled progress, and data for the owner's own pages. */
export const unlogged = <T>(value: T): Answer<T> => ({ ...answer(value), reads: [] });
