// The engine: takes calls, resolves who calls, runs them in a snapshot or a transaction, and writes the audit before it answers.
import { type ErrorBody, errorBody, PdppError } from "../contract/errors.ts";
import type { Plan } from "../core/plan.ts";
import type { Scope, StreamShape } from "../core/scope.ts";
import type { AuditEntry, ReadView, Store } from "../store/store.ts";
import { removeBlobs } from "./blob-files.ts";
import { type Caller, Callers, type Credential } from "./caller.ts";
import { type Aftermath, METHODS, type MethodName } from "./methods.ts";
import type { Columns } from "./projection/columns/columns.ts";
import type { StreamShape as ColumnsShape } from "./projection/columns/shape.ts";
import { COLUMN_SEGMENTS } from "./projection/stored-segments.ts";
import { type Answer, NeedsColumns } from "./read/context.ts";

export interface Call {
  method: MethodName;
  credential: Credential;
  query: unknown;
  requestId: string;
}

export type Reply = { body: string } | { error: ErrorBody } | { needsColumns: true };

export interface EngineParts {
  /** Where the blobs' files are. */
  home: string;
  store: Store;
  /** Absent in a thread that keeps none. */
  columns?: Columns;
  now: () => number;
  /** Unforeseen failures, with their request; callers only see `api_error`. */
  onFailure?: (error: unknown, call: Call) => void;
}

export class Engine {
  readonly #parts: EngineParts;
  readonly #callers = new Callers();

  constructor(parts: EngineParts) {
    this.#parts = parts;
  }

  /** Runs reads in one snapshot; their audit entries are committed together before the first answer leaves. */
  async read(calls: readonly Call[]): Promise<Reply[]> {
    const entries: AuditEntry[] = [];
    const { store } = this.#parts;
    try {
      const replies = await store.read(async (view) => {
        const collected: Reply[] = [];
        for (const call of calls) collected.push(await this.#readOne(view, call, entries));
        return collected;
      });
      await store.audit.append(entries);
      return replies;
    } catch (error) {
      // What cannot be accounted for is not answered.
      return calls.map((call) => this.#failure(error, call));
    }
  }

  async #readOne(view: ReadView, call: Call, entries: AuditEntry[]): Promise<Reply> {
    const now = this.#parts.now();
    let caller: Caller | undefined;
    try {
      caller = await this.#callers.resolve(view, call.credential, now);
      const resolved = caller;
      const method = METHODS[call.method];
      if (method.kind !== "read") throw new Error(`${call.method} is no read`);
      const context = {
        view,
        caller: resolved,
        key: this.#parts.store.key,
        audit: this.#parts.store.audit,
        now,
        columns: (plan: Plan) => this.#columns(view, plan),
      };
      const answer = await method.run(context, parse(call) as never);
      entries.push(auditEntry(call, now, resolved.scope, "ok", answer));
      return { body: answer.body };
    } catch (error) {
      if (error instanceof NeedsColumns) return { needsColumns: true };
      const failure = this.#failure(error, call);
      entries.push(auditEntry(call, now, caller?.scope, failure.error.code));
      return failure;
    }
  }

  async write(call: Call): Promise<Reply> {
    const now = this.#parts.now();
    const { store } = this.#parts;
    let caller: Caller | undefined;
    let reply: Reply;
    let outcome = "ok";
    const aftermath: Aftermath[] = [];
    try {
      const method = METHODS[call.method];
      if (method.kind !== "write") throw new Error(`${call.method} is no write`);
      const result = await store.write(async (view) => {
        caller = await this.#callers.resolve(view, call.credential, now);
        return method.run({ view, caller, now, afterCommit: (rest) => aftermath.push(rest) }, parse(call) as never);
      });
      for (const { unusedBlobs } of aftermath) await removeBlobs(this.#parts.home, unusedBlobs);
      reply = { body: JSON.stringify(result) };
    } catch (error) {
      reply = this.#failure(error, call);
      outcome = reply.error.code;
    }
    await Promise.resolve(store.audit.append([auditEntry(call, now, caller?.scope, outcome)])).catch((error) => {
      // The write stands and is acknowledged; that its audit line could not be written must not look like a failure.
      this.#parts.onFailure?.(error, call);
    });
    return reply;
  }

  async #columns(view: ReadView, plan: Plan) {
    const { columns } = this.#parts;
    if (columns === undefined) throw new NeedsColumns();
    return columns.at(plan.streamNo, columnsShape(plan.row.stream), view, await view.version());
  }

  /** Folds what is new into the columns, a slice at a time; true when more is left. */
  async catchUp(streamNo: number, maxRows: number): Promise<boolean> {
    const { columns, store, now } = this.#parts;
    if (columns === undefined) return false;
    return store.read(async (view) => {
      const { catalog } = await this.#callers.resolve(view, { home: true }, now());
      const stream = catalog.byNo.get(streamNo);
      return (
        stream !== undefined && columns.catchUp(streamNo, columnsShape(stream), view, await view.version(), maxRows)
      );
    });
  }

  /** Saves what the columns hold, and drops what they kept of streams that are gone. */
  async flush(): Promise<void> {
    const { columns, store, now } = this.#parts;
    if (columns === undefined || !columns.persists) return;
    await columns.flush();
    const { catalog } = await store.read((view) => this.#callers.resolve(view, { home: true }, now()));
    await store.segments.prune(COLUMN_SEGMENTS, new Set(catalog.byNo.keys()));
  }

  #failure(error: unknown, call: Call): { error: ErrorBody } {
    if (error instanceof PdppError) return { error: errorBody(error, call.requestId) };
    this.#parts.onFailure?.(error, call);
    return {
      error: errorBody(new PdppError("api_error", "something went wrong here, not with your request"), call.requestId),
    };
  }
}

function parse(call: Call): unknown {
  refuseProto(call.query);
  const parsed = METHODS[call.method].query.safeParse(call.query);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  const param = issue.path.join(".") || (issue.code === "unrecognized_keys" ? issue.keys[0] : undefined);
  throw new PdppError(
    "invalid_request",
    param === undefined ? issue.message : `${param}: ${issue.message}`,
    param === undefined ? {} : { param },
  );
}

/** zod drops a member called __proto__ in silence; what is not understood is refused, never ignored. */
function refuseProto(query: unknown): void {
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === null || typeof value !== "object" || !Object.hasOwn(value, "__proto__")) continue;
    throw new PdppError("invalid_request", `nothing in ${name} can be called __proto__`, { param: `${name}[__proto__]` });
  }
}

const shapes = new WeakMap<StreamShape, ColumnsShape>();

function columnsShape(stream: StreamShape): ColumnsShape {
  let shape = shapes.get(stream);
  if (shape === undefined) {
    const columns = [...stream.fields.values()].flatMap(({ name, column }) =>
      column === undefined ? [] : [{ field: name, kind: column }],
    );
    shape = { columns, defaultSort: stream.declaration.cursor_field };
    shapes.set(stream, shape);
  }
  return shape;
}

function auditEntry(call: Call, at: number, scope: Scope | undefined, outcome: string, answer?: Answer): AuditEntry {
  const bearer = scope?.bearer;
  return {
    at,
    subject_id: bearer?.subject_id ?? "",
    actor: bearer?.kind ?? "anonymous",
    ...(bearer?.client_id === undefined ? {} : { client_id: bearer.client_id }),
    ...((answer?.row?.grantId ?? bearer?.grant_id) === undefined
      ? {}
      : { grant_id: answer?.row?.grantId ?? bearer?.grant_id }),
    ...(bearer?.grant_package_id === undefined ? {} : { grant_package_id: bearer.grant_package_id }),
    action: call.method,
    ...(answer?.row === undefined
      ? {}
      : { connection_id: answer.row.stream.connectionId, stream: answer.row.stream.name }),
    records: answer?.records ?? 0,
    bytes: answer === undefined ? 0 : (answer.bytes ?? Buffer.byteLength(answer.body)),
    outcome,
    request_id: call.requestId,
  };
}
