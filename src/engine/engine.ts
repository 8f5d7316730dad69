// The engine receives calls, resolves their callers, runs them in a snapshot or a transaction, and writes the audit
// entry before it responds.
import type { Bearer } from "../contract/answers.ts";
import type { Audience } from "../contract/auth.ts";
import { type ErrorBody, errorBody, PdppError } from "../contract/errors.ts";
import { firstIssue } from "../contract/issue.ts";
import { AUDIT_IDS } from "../contract/limits.ts";
import type { WhyRequest } from "../contract/why.ts";
import { keptQueryOf } from "../core/kept-query.ts";
import type { Plan } from "../core/plan.ts";
import { isOwner, type StreamShape } from "../core/scope.ts";
import { printableRequest } from "../core/why.ts";
import type { AuditEntry, ReadView, Store, WriteOptions } from "../store/store.ts";
import { requireRecentPassword } from "./authority/recent-password.ts";
import { type Caller, Callers, type Credential, Refused, requireOwner } from "./caller.ts";
import { type CallName, callNamed, createsLastingAccess, isUrgent } from "./calls/calls.ts";
import type { MethodContext } from "./calls/define.ts";
import { homeObjects, type ObjectPlace, type ObjectStorage, openObjects } from "./objects-place.ts";
import type { Columns } from "./projection/columns/columns.ts";
import type { ColumnSpec, ColumnsShape } from "./projection/columns/shape.ts";
import type { SearchAsk, SearchProjection } from "./projection/search-projection.ts";
import { COLUMN_SEGMENTS } from "./projection/stored-segments.ts";
import { type Answer, NeedsColumns, RunsAside } from "./read/context.ts";
import { forgetUnused } from "./unused-blobs.ts";

export interface Call {
  name: CallName;
  credential: Credential;
  query: unknown;
  requestId: string;
}

export type Reply = { body: string } | { error: ErrorBody } | { needsColumns: true };

export interface EngineParts {
  home: string;
  /** Where blobs are stored. The default is the home. */
  objects?: ObjectPlace;
  store: Store;
  /** Absent in a thread without columns. */
  columns?: Columns;
  /** Absent in a thread without the search index. */
  search?: SearchProjection;
  now: () => number;
  /** Stops work that runs outside the snapshot. */
  stop?: AbortSignal;
  /** Receives unexpected failures with their call. Callers only see `api_error`. */
  onFailure?: (error: unknown, call: Call) => void;
}

/** Results of work done outside the snapshot, by call. */
type Aside = Map<object, unknown>;

/** How many times a read is attempted if grants or sources change during it. */
const READ_ATTEMPTS = 5;

export class Engine {
  readonly #parts: EngineParts;
  readonly #objects: ObjectStorage;
  readonly #callers = new Callers();
  readonly #verification: MethodContext["verification"] = {};

  constructor(parts: EngineParts) {
    this.#parts = parts;
    this.#objects = openObjects(parts.objects ?? homeObjects(parts.home));
  }

  /** Runs reads in one snapshot; their audit entries are committed together before the first result is returned. */
  async read(calls: readonly Call[]): Promise<Reply[]> {
    const { store } = this.#parts;
    const aside: Aside = new Map();
    try {
      for (let attempt = 1; attempt <= READ_ATTEMPTS; attempt++) {
        const { replies, entries, epoch } = await this.#readOnce(calls, aside);
        // The append fails if a grant was issued or revoked during the read. The result must be valid now, so read
        // again.
        if (await store.audit.append(entries, epoch)) return replies;
      }
      throw new PdppError(
        "store_unavailable",
        `the grants changed during each of ${READ_ATTEMPTS} attempts; try again`,
      );
    } catch (error) {
      // A read that cannot be logged returns nothing.
      return calls.map((call) => this.#failure(error, call));
    }
  }

  /**
   * Long work is done outside the snapshot, once the caller is admitted. The read then starts again with the result of
   * that work.
   */
  async #readOnce(calls: readonly Call[], aside: Aside) {
    for (;;) {
      try {
        return await this.#parts.store.read((view) => this.#readAll(view, calls, aside), { repeatable: true });
      } catch (error) {
        if (!(error instanceof RunsAside)) throw error;
        aside.set(error.call, await error.work());
      }
    }
  }

  async #readAll(view: ReadView, calls: readonly Call[], aside: Aside) {
    const entries: AuditEntry[] = [];
    const epoch = await view.epoch();
    // The calls run concurrently, so that their queries to a remote store are sent together.
    const replies = await Promise.all(calls.map((call) => this.#readOne(view, epoch, call, entries, aside)));
    return { replies, entries, epoch };
  }

  async #readOne(view: ReadView, epoch: number, call: Call, entries: AuditEntry[], aside: Aside): Promise<Reply> {
    const now = this.#parts.now();
    let caller: Caller | undefined;
    try {
      const method = callNamed(call.name);
      caller = await this.#callers.resolve(view, call.credential, now, lensOf(call), epoch);
      const resolved = caller;
      if (method.kind !== "read") throw new Error(`${call.name} is not a read`);
      if (method.access !== "app") requireOwner(resolved);
      let version: number | undefined;
      const context = {
        view,
        caller: resolved,
        key: this.#parts.store.key,
        audit: this.#parts.store.audit,
        stop: this.#parts.stop,
        verification: this.#verification,
        aside<T>(work: () => Promise<T>): T {
          if (!aside.has(call)) throw new RunsAside(call, work);
          return aside.get(call) as T;
        },
        now,
        columns: (plan: Plan) => {
          if (version !== undefined) return this.#columns(view, plan, version);
          return Promise.resolve(view.version()).then((current) => {
            version = current;
            return this.#columns(view, plan, current);
          });
        },
        scan: () => this.#requireColumns(),
        search: (ask: SearchAsk) => this.#requireSearch().search(view, resolved.catalog, resolved.scope, ask),
        meaning: () => this.#requireSearch().meaning,
      };
      const query = parse(call);
      if (createsLastingAccess(call.name, query)) await requireRecentPassword(view, resolved, now);
      const answer = await method.run(context, query as never);
      if (!ownerLooks(call, resolved)) {
        const { bearer } = resolved.scope;
        const { outcome: code } = answer;
        if (code !== undefined) entries.push(deniedEntry(call, now, bearer, { code }));
        else {
          const asked = bearer.kind === "owner" ? undefined : keptQueryOf(call.query);
          for (const part of auditedParts(answer)) {
            const ids = bearer.kind === "owner" ? undefined : part.ids?.slice(0, AUDIT_IDS);
            entries.push({ ...auditEntry(call, now, bearer, "ok", part), query: asked, ids });
          }
        }
      }
      return { body: answer.body };
    } catch (error) {
      if (error instanceof NeedsColumns) return { needsColumns: true };
      if (error instanceof RunsAside) throw error;
      const failure = this.#failure(error, call);
      // An unknown caller reads nothing, and must not be able to fill the log.
      const bearer = bearerIn(caller, error);
      if (bearer !== undefined) entries.push({ ...deniedEntry(call, now, bearer, failure.error), ...left(call) });
      return failure;
    }
  }

  async write(call: Call): Promise<Reply> {
    const now = this.#parts.now();
    const { store } = this.#parts;
    let bearer: Bearer | undefined;
    let reply: Reply;
    let failure: { error: ErrorBody } | undefined;
    const unused: string[] = [];
    try {
      const definition = callNamed(call.name);
      if (definition.kind !== "write") throw new Error(`${call.name} is not a write`);
      const result = await store.write(async (view) => {
        // The clock is read again here, because the process may have been paused or may have waited for another write.
        const begun = this.#parts.now();
        const caller = await this.#callers.resolve(view, call.credential, begun);
        bearer = caller.scope.bearer;
        if (definition.access !== "app") requireOwner(caller);
        const query = parse(call);
        if (createsLastingAccess(call.name, query)) await requireRecentPassword(view, caller, begun);
        return definition.run(
          { view, caller, now: begun, key: store.key, unused: (names) => unused.push(...names) },
          query as never,
        );
      }, optionsOf(call));
      // The write is committed. Objects that could not be removed are listed, and removed later.
      await this.#removeObjects(unused).catch((error) => this.#parts.onFailure?.(error, call));
      reply = { body: JSON.stringify(result) };
    } catch (error) {
      this.#callers.forget();
      bearer ??= bearerIn(undefined, error);
      failure = this.#failure(error, call);
      reply = failure;
    }
    if (bearer === undefined || callNamed(call.name).access === "system") return reply;
    const entry =
      failure === undefined ? auditEntry(call, now, bearer, "ok") : deniedEntry(call, now, bearer, failure.error);
    await Promise.resolve(store.audit.append([entry])).catch((error) => {
      // The write is committed and acknowledged, so a missing audit entry must not look like a failure.
      this.#parts.onFailure?.(error, call);
    });
    return reply;
  }

  /**
   * In a home, removes objects immediately. With shared storage, the process that runs the owner's jobs does so
   * (blob-sweep.ts).
   */
  async #removeObjects(names: readonly string[]): Promise<void> {
    if (names.length === 0 || this.#objects.place.kind !== "home") return;
    await this.#objects.delete(names);
    await this.#parts.store.write(async (view) => forgetUnused(view, await view.subject(), names));
  }

  #requireColumns(): Columns {
    const { columns } = this.#parts;
    if (columns === undefined) throw new NeedsColumns();
    return columns;
  }

  #columns(view: ReadView, plan: Plan, version: number) {
    return this.#requireColumns().at(plan.streamNo, columnsShape(plan.row.stream), view, version);
  }

  #requireSearch(): SearchProjection {
    const { search } = this.#parts;
    if (search === undefined) throw new Error("this thread has no search index");
    return search;
  }

  /** Applies new changes to this thread's projections, up to `maxRows` at a time. Returns true if more are left. */
  async catchUp(streamNo: number, maxRows: number): Promise<boolean> {
    const { columns, search, store, now } = this.#parts;
    return store.read(async (view) => {
      const { catalog } = await this.#callers.resolve(view, { home: true }, now());
      const stream = catalog.byNo.get(streamNo);
      const columnsWait =
        columns !== undefined &&
        stream !== undefined &&
        (await columns.catchUp(streamNo, columnsShape(stream), view, await view.version(), maxRows));
      const searchWaits = search !== undefined && (await search.catchUp(view, catalog, maxRows));
      return columnsWait || searchWaits;
    });
  }

  /** Saves the projections, and deletes the data of deleted streams. */
  async flush(): Promise<void> {
    const { columns, search, store, now } = this.#parts;
    if (columns?.persists) await columns.flush();
    await store.read(async (view) => {
      const { catalog } = await this.#callers.resolve(view, { home: true }, now());
      await search?.flush(view, catalog);
      if (columns?.persists) await store.segments.prune(COLUMN_SEGMENTS, new Set(catalog.byNo.keys()));
    });
  }

  #failure(error: unknown, call: Call): { error: ErrorBody } {
    if (error instanceof PdppError) return { error: errorBody(error, call.requestId) };
    this.#parts.onFailure?.(error, call);
    return {
      error: errorBody(
        new PdppError("api_error", "something went wrong on this server; your request was valid"),
        call.requestId,
      ),
    };
  }
}

/**
 * True if the owner is viewing a page. Such reads are not logged: they would bury what apps read, and a page that
 * follows the log would trigger itself forever.
 */
function ownerLooks({ credential }: Call, { scope }: Caller): boolean {
  return "looking" in credential && isOwner(scope);
}

function optionsOf({ name, credential }: Call): WriteOptions {
  const call = callNamed(name);
  const redoable = "redoable" in call && call.redoable === true;
  return { redoable, urgent: isUrgent(name), ...("term" in credential && { term: credential.term }) };
}

function parse(call: Call): unknown {
  refuseProto(call.query);
  const parsed = callNamed(call.name).query.safeParse(call.query);
  if (parsed.success) return parsed.data;
  const issue = firstIssue(parsed.error);
  const param = issue.path.join(".") || issue.keys?.[0];
  throw new PdppError(
    issue.path[0] === "filter" && issue.path.length > 1 ? "invalid_filter" : "invalid_request",
    param === undefined ? issue.message : `${param}: ${issue.message}`,
    param === undefined ? {} : { param },
  );
}

/** zod silently drops a field named __proto__, but unknown input must be refused, never ignored. */
function refuseProto(query: unknown): void {
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === null || typeof value !== "object" || !Object.hasOwn(value, "__proto__")) continue;
    throw new PdppError("invalid_request", `no field in ${name} may be named __proto__`, {
      param: `${name}[__proto__]`,
    });
  }
}

/** A read over several streams has a log entry for each, so that the owner sees which of them an app read. */
function auditedParts(answer: Answer<unknown>): Answer<unknown>[] {
  const { reads } = answer;
  if (reads === undefined) return [answer];
  const share = Math.round(Buffer.byteLength(answer.body) / reads.length);
  return reads.map(({ row, records, ids }) => ({ body: "", row, records, ids, bytes: share }));
}

const shapes = new WeakMap<StreamShape, ColumnsShape>();

function columnsShape(stream: StreamShape): ColumnsShape {
  let shape = shapes.get(stream);
  if (shape === undefined) {
    const columns: ColumnSpec[] = [...stream.fields.values()].flatMap(({ name, column }) =>
      column === undefined ? [] : [{ field: name, kind: column }],
    );
    const lists = [...stream.lists.values()].map(({ name, field, member, kind }) => ({
      field: name,
      kind,
      list: { field, ...(member === undefined ? {} : { member }) },
    }));
    columns.push(...lists);
    shape = { columns, defaultSort: stream.declaration.cursor_field };
    shapes.set(stream, shape);
  }
  return shape;
}

/** The caller's identity, even if the caller was refused. */
function bearerIn(caller: Caller | undefined, error: unknown): Bearer | undefined {
  return caller?.scope.bearer ?? (error instanceof Refused ? error.bearer : undefined);
}

/**
 * For a call under a grant, the log records the names in the query, so that the owner can look up why it was denied
 * (X-08).
 */
function deniedEntry(
  call: Call,
  at: number,
  bearer: Bearer,
  { code, why }: Pick<ErrorBody, "code" | "why">,
): AuditEntry {
  const entry = auditEntry(call, at, bearer, code);
  const asked = { ...namedIn(call.query), ...why?.asked };
  return bearer.kind === "owner" || Object.keys(asked).length === 0 ? entry : { ...entry, asked };
}

/** How much of the response was sent before the caller was refused, if the call reports it. */
function left({ name, query }: Call): Partial<AuditEntry> {
  const { records = 0, bytes } = ("tells" in callNamed(name) ? query : {}) as Partial<AuditEntry>;
  return bytes === undefined ? {} : { records, bytes };
}

const lensOf = ({ name }: Call): Audience => ("lens" in callNamed(name) ? "files" : "records");

/** On the files lens, many actions share one call, so the log records the action. */
function actionOf(call: Call): string {
  return lensOf(call) === "files" ? `files.${(call.query as { action: string }).action}` : call.name;
}

function namedIn(query: unknown): WhyRequest {
  const { stream, connection_id } = (query ?? {}) as Record<string, unknown>;
  return printableRequest({
    ...(typeof stream === "string" ? { stream } : {}),
    ...(typeof connection_id === "string" ? { connection_id } : {}),
  });
}

/** Undefined fields are not logged. */
function auditEntry(
  call: Call,
  at: number,
  bearer: Bearer | undefined,
  outcome: string,
  answer?: Answer<unknown>,
): AuditEntry {
  const row = answer?.row;
  return {
    at,
    subject_id: bearer?.subject_id ?? "",
    actor: bearer?.kind ?? "anonymous",
    client_id: bearer?.client_id,
    grant_id: row?.grantId ?? bearer?.grant_id,
    grant_package_id: bearer?.grant_package_id,
    action: actionOf(call),
    connection_id: row?.stream.connectionId,
    stream: row?.stream.name,
    records: answer?.records ?? 0,
    bytes: answer === undefined ? 0 : (answer.bytes ?? Buffer.byteLength(answer.body)),
    outcome,
    request_id: call.requestId,
  };
}
