// Store: rows, a change feed, and the small tables around them. This is the contract of both engines. A read runs in
// one consistent snapshot. A write runs in one transaction: when the promise resolves, all of it is durable, otherwise
// none of it happened. Methods that return records require a compiled Plan, so code that forgets the grant does not
// type-check. Methods may return a value or a promise, because SQLite is synchronous in its thread and PostgreSQL is
// not.
import type { KeyObject } from "node:crypto";
import type { KeptQuery } from "../contract/activity.ts";
import type { SourceDeclaration } from "../contract/declaration.ts";
import type { Grant, GrantWords } from "../contract/grant.ts";
import type { JsonValue } from "../contract/record.ts";
import type { WhyRequest } from "../contract/why.ts";
import type { RecordLimits } from "../core/history.ts";
import type { Plan, StoredRow } from "../core/plan.ts";
import type {
  AuthItem,
  BlobRow,
  BlobUse,
  ClientRow,
  ConnectionRow,
  EndedBy,
  GrantRow,
  HeldToken,
  ItemRow,
  JobRow,
  OwnerRow,
  SourceRow,
  StreamRow,
  TokenRow,
} from "./rows.ts";

export type Awaitable<T> = T | Promise<T>;

export interface Store {
  read<T>(work: (view: ReadView) => Awaitable<T>, options?: ReadOptions): Promise<T>;
  /** Concurrent writes may share one commit; each still succeeds or fails on its own. */
  write<T>(work: (view: WriteView) => Awaitable<T>, options?: WriteOptions): Promise<T>;
  readonly audit: AuditLog;
  readonly segments: Segments;
  /** The key that seals cursors. Each home has one, stored next to the data. */
  readonly key: KeyObject;
  close(): Awaitable<void>;
}

/** Keyset position in the order (ord, id). */
export interface OrderPosition {
  ord: string | number | null;
  id: string;
}

export interface OrderPage {
  descending: boolean;
  after?: OrderPosition;
  limit: number;
}

/**
 * A lifetime of the feed. A restore from a backup ends it, because versions after `until` may have meant something
 * else.
 */
export interface Era {
  name: string;
  /** The last version that is still valid. Null for the current era. */
  until: number | null;
}

export interface FeedRow {
  version: number;
  streamNo: number;
  id: string;
  born: number;
  data: string | null;
}

export interface ReadOptions {
  /**
   * True if the work can run twice. A store may then start without a snapshot, and repeat the work in one if something
   * was written in the meantime.
   */
  repeatable?: boolean;
}

export interface WriteOptions {
  /**
   * True if the caller repeats this write after a power cut. A store that no other process has open may then resolve
   * before the write is on the disk. Later writes reach the disk only together with it.
   */
  redoable?: boolean;
  /** The election under which the writing job runs. The write is refused if another process has been elected since. */
  term?: number;
  /**
   * True if the write revokes access. It then does not wait for another process that has stalled in the middle of a
   * write.
   */
  urgent?: boolean;
}

export interface ReadView {
  /**
   * Changes whenever sources, connections or grants change or a token is deleted. Resolved data may be cached until
   * then.
   */
  epoch(): Awaitable<number>;
  /** The feed's newest version. */
  version(): Awaitable<number>;
  /** The lifetimes of the feed, oldest first; the last one is current. */
  eras(): Awaitable<Era[]>;
  /** Throws `store_unavailable` if a write would fail now, or if the store's clock differs too much from ours. */
  usable(): Awaitable<void>;

  /** The default subject, created with the home. */
  subject(): Awaitable<string>;
  token(hash: string): Awaitable<TokenRow | undefined>;
  /** Newest first. */
  tokensOf(subjectId: string, kind: "owner" | "session"): Awaitable<HeldToken[]>;
  owner(subjectId: string): Awaitable<OwnerRow | undefined>;
  authItem(kind: string, hash: string): Awaitable<AuthItem | undefined>;
  authItemBy(kind: string, key: "uid" | "user_code", value: string): Awaitable<AuthItem | undefined>;
  /** Expired items are not counted. */
  countAuthItems(kind: string, now: number): Awaitable<number>;
  client(clientId: string): Awaitable<ClientRow | undefined>;
  /** Newest first. Revoked grants stay for ever, so there may be far more of them than of the others. */
  grants(subjectId: string): Awaitable<GrantRow[]>;
  /** The same without revoked grants, which are not even read. */
  unrevokedGrants(subjectId: string): Awaitable<GrantRow[]>;
  grant(grantId: string): Awaitable<GrantRow | undefined>;
  grantsOfPackage(packageId: string): Awaitable<GrantRow[]>;

  sources(subjectId: string): Awaitable<SourceRow[]>;
  connections(subjectId: string): Awaitable<ConnectionRow[]>;
  streams(subjectId: string): Awaitable<StreamRow[]>;

  point(plan: Plan, id: string): Awaitable<StoredRow | undefined>;
  /** Live rows by (ord, id) within the plan's time window, with nulls last in both directions. Needs `plan.byOrder`. */
  page(plan: Plan, page: OrderPage): Awaitable<StoredRow[]>;
  /** Rows by version, in the requested order. Their `ord` may be null unless the plan has a window. */
  rows(plan: Plan, versions: readonly number[]): Awaitable<StoredRow[]>;
  /** Feed positions after `after`, up to `upTo`, each with the current record. Newest first if `descending`. */
  feed(plan: Plan, after: number, upTo: number, limit: number, descending?: boolean): Awaitable<FeedEntry[]>;
  /** Rows by version, newest first, to find the latest changes. */
  newest(plan: Plan, span: NewestSpan): Awaitable<StoredRow[]>;
  /** The number of live rows in the whole stream, and when it last changed. */
  total(plan: Plan): Awaitable<{ live: number; changedAt: number | null }>;

  /** The raw feed, for projections. It is never shown directly. */
  changes(streamNo: number, after: number, upTo: number, limit: number): Awaitable<FeedRow[]>;
  allChanges(after: number, upTo: number, limit: number): Awaitable<FeedRow[]>;
  /**
   * How many records a stream has, so that a projection can check that it has read all of them. Absent if the engine
   * checks its pages itself.
   */
  liveRows?(streamNo: number): Awaitable<number>;

  /**
   * Returns live records, by version, whose current state comes from this origin. `created` is true if this origin also
   * created the record. This is a full scan.
   */
  recordsFrom(
    streamNo: number,
    origin: { run_id?: string; file?: string },
    page: { after: number; upTo: number; limit: number },
  ): Awaitable<{ version: number; id: string; created: boolean }[]>;

  blob(blobId: string): Awaitable<BlobRow | undefined>;
  /** Counts the blobs that are deleted with a connection, because no record elsewhere refers to them. */
  ownBlobs(connectionId: string): Awaitable<{ count: number; bytes: number }>;
  blobUses(blobId: string): Awaitable<BlobUse[]>;
  state(
    subjectId: string,
    connectionId: string,
  ): Awaitable<{ state: Record<string, JsonValue>; updatedAt: number | null }>;
  /** Newest first. */
  jobs(subjectId: string): Awaitable<JobRow[]>;
  job(subjectId: string, jobId: string): Awaitable<JobRow | undefined>;
  item(subjectId: string, kind: string, id: string): Awaitable<ItemRow | undefined>;
  /** Newest first. */
  items(subjectId: string, kind: string, only?: { holder?: string; limit?: number }): Awaitable<ItemRow[]>;
  /** Returns items that are due at this time, the longest overdue first. */
  dueItems(subjectId: string, kind: string, by: number, limit: number): Awaitable<ItemRow[]>;
}

export interface FeedEntry {
  position: number;
  row: StoredRow;
}

/**
 * Both ends are exclusive. With `changed`, only rows that have changed since they were first stored, found through an
 * index.
 */
export interface NewestSpan {
  after: number;
  before: number;
  limit: number;
  changed: boolean;
}

/** `time` is the record's consent time, in ms. */
export interface Change extends RecordLimits {
  id: string;
  /** JSON text. Null deletes the record. */
  data: string | null;
  ord: string | number | null;
  emittedAt: number;
  origin: string | null;
  blobs: { blobId: string; field: string }[];
}

export interface BatchOptions {
  /** True for an append_only stream, in which existing records stay unchanged. */
  appendOnly: boolean;
  /** Returns the limits of stored data, for comparison when a record changes. */
  limitsOf: (data: string) => RecordLimits;
  now: number;
  /** Called for each change that had an effect, with its index in the batch. */
  onOutcome?: (index: number, outcome: "created" | "changed") => void;
  /**
   * Called for each upsert without an effect, with the stored data and its origin. `created` is true if that origin
   * also created the record.
   */
  onSame?: (index: number, stored: { data: string; origin: string | null; created: boolean }) => void;
  /** Called for each blob that a changed or deleted record referred to. Other records may still refer to the blob. */
  onReleased?: (blobId: string) => void;
}

export interface WriteView extends ReadView {
  putSource(subjectId: string, connectorKey: string, declaration: SourceDeclaration, now: number): Awaitable<void>;
  putConnection(subjectId: string, connection: ConnectionRow): Awaitable<void>;
  renameConnection(connectionId: string, displayName: string): Awaitable<void>;
  /**
   * Deletes the connection with everything in it. Returns how many live records were deleted, and which blobs they
   * referred to.
   */
  deleteConnection(connectionId: string): Awaitable<{ live: number; blobs: string[] }>;
  /** Returns the stream's number, which is assigned on first use. */
  openStream(connectionId: string, name: string): Awaitable<number>;
  /** Applies changes in order, and returns how many had an effect. */
  apply(streamNo: number, changes: readonly Change[], options: BatchOptions): Awaitable<number>;

  putClient(subjectId: string, clientId: string, name: string, now: number): Awaitable<void>;
  putGrant(subjectId: string, grant: Grant, packageId: string | null, words: GrantWords): Awaitable<void>;
  revokeGrant(grantId: string, now: number, by: EndedBy): Awaitable<void>;
  /** Undoes a revocation. */
  restoreGrant(grantId: string): Awaitable<void>;
  /** Replaces the scope of a grant, and the words that the owner agreed to. */
  changeGrant(grant: Grant, words: GrantWords | null): Awaitable<void>;
  /** Moves the expiry of a grant's or package's tokens, but only of those that expire with it. */
  moveTokenExpiry(id: string, from: number, to: number | null): Awaitable<void>;
  consumeGrant(grantId: string, now: number): Awaitable<void>;
  putToken(hash: string, token: TokenRow, now: number): Awaitable<void>;
  deleteToken(hash: string): Awaitable<void>;

  putOwner(owner: OwnerRow): Awaitable<void>;
  putAuthItem(item: AuthItem): Awaitable<void>;
  /** Returns false if the item was already consumed, so that only one of two concurrent calls wins. */
  consumeAuthItem(kind: string, hash: string, now: number): Awaitable<boolean>;
  deleteAuthItem(kind: string, hash: string): Awaitable<void>;
  deleteAuthItemsOfGrant(grantId: string): Awaitable<void>;
  /** Deletes the item that would expire first. */
  dropOldestAuthItem(kind: string): Awaitable<void>;
  /** Makes the item permanent until it is deleted. */
  keepAuthItem(kind: string, hash: string): Awaitable<void>;
  /** Deletes items and session tokens that expired before `now`. */
  pruneAuth(now: number): Awaitable<void>;

  putBlob(blob: BlobRow, now: number): Awaitable<void>;
  /** Deletes the rows of the given blobs that no record refers to, and returns them. */
  dropUnusedBlobs(blobIds: Iterable<string>): Awaitable<Pick<BlobRow, "blobId" | "generation">[]>;
  putState(subjectId: string, connectionId: string, state: Record<string, JsonValue>, now: number): Awaitable<void>;
  /** The kind and holder of an existing job do not change. */
  putJob(subjectId: string, job: JobRow): Awaitable<void>;
  deleteJob(subjectId: string, jobId: string): Awaitable<void>;
  /** The creation time of an existing item does not change. */
  putItem(subjectId: string, item: ItemRow): Awaitable<void>;
  deleteItem(subjectId: string, kind: string, id: string): Awaitable<void>;
  /** Deletes all items of this kind that belong to the holder. */
  deleteItems(subjectId: string, kind: string, holder: string): Awaitable<void>;
}

/**
 * One line of the audit log. It says what was requested and read, but never contains a record's content or a secret.
 */
export interface AuditEntry {
  at: number;
  subject_id: string;
  /** `server` is used for entries about the log itself. */
  actor: "owner" | "client" | "mcp_package" | "anonymous" | "server";
  client_id?: string;
  grant_id?: string;
  grant_package_id?: string;
  action: string;
  connection_id?: string;
  stream?: string;
  records: number;
  bytes: number;
  outcome: string;
  /** The stream and fields that a denied call under a grant requested. */
  asked?: WhyRequest;
  /** The arguments of an app's successful call, limited in length. */
  query?: KeptQuery;
  /** The ids of the first records in the result. `records` counts all. */
  ids?: string[];
  /** Lines from this period may have been lost in a power cut. */
  may_be_missing?: { since: number; until: number };
  request_id: string;
}

export interface AuditRow extends AuditEntry {
  n: number;
}

/** Conditions on a line, all of which must be met. */
export interface AuditWanted {
  /** A grant, or a package. For a package, only calls that used none of its grants match. */
  grantId?: string;
  clientId?: string;
  actor?: "owner" | "app";
  action?: string;
  /** The connection and stream that a call read, or that a denied call requested. */
  connectionId?: string;
  stream?: string;
  /** `failed` matches every outcome except ok, including denials. */
  outcome?: "ok" | "denied" | "failed";
  /** Callers choose request ids, so several requests may have the same one. */
  requestId?: string;
  /** Inclusive. */
  since?: number;
  /** Exclusive. */
  until?: number;
}

export interface AuditQuery extends AuditWanted {
  before?: number;
  limit: number;
}

export interface AuditPage {
  /** Newest first. */
  rows: AuditRow[];
  /**
   * Lines before this one were not searched. Absent if there are none left. Because a search is bounded, the page may
   * not be full.
   */
  next?: number;
}

/** Totals for a grant, or for a package's calls that used no single grant. */
export interface AuditUse {
  /** Totals by stream. Calls that read no stream have empty names. */
  totals: AuditTotal[];
  /** Newest first. */
  recent: AuditRow[];
}

export interface AuditTotal {
  connectionId: string;
  stream: string;
  /** Successful calls. The line that closes a streamed response does not count as a call. */
  calls: number;
  denied: number;
  records: number;
  bytes: number;
  /** The time of the last successful call. */
  usedAt: number | null;
}

/**
 * Lines are appended in one commit before the results are returned. A keyed hash links each entry to the previous one.
 */
export interface AuditLog {
  /**
   * `epoch` is the epoch of the data that was read, if other processes can write for the same owner. The lines are
   * appended only if it has not changed. Returns false if nothing was logged, in which case the data must not be
   * returned.
   */
  append(entries: readonly AuditEntry[], epoch?: number): Awaitable<boolean>;
  /** Moves waiting lines into the log. Calls that read the log do this first. */
  gather(): Awaitable<void>;
  /** Like `gather`, but afterwards a power cut cannot lose any of these lines. */
  sync(): Awaitable<void>;
  /** Uses an index, so the cost grows with the results, not with the log. */
  list(query: AuditQuery): Awaitable<AuditPage>;
  /** Returns uses by grant or package, at a cost that does not depend on the log's size. */
  uses(ids: readonly string[], recent: number): Awaitable<Map<string, AuditUse>>;
  /**
   * Verifies the whole chain in slices, so that other work can run in between. Returns the first entry that does not
   * match.
   */
  verify(options?: AuditWalkOptions): Promise<AuditVerdict>;
}

export interface AuditProgress {
  entries: number;
  of: number;
}

export interface AuditWalkOptions {
  /** Called after each slice. The next slice waits for it. */
  onProgress?: (progress: AuditProgress) => Awaitable<void>;
  /** Stops the verification after the current slice. */
  signal?: AbortSignal;
}

export interface AuditVerdict {
  entries: number;
  /** How many entries report that lines may be missing. Absent if there are none. */
  gaps?: number;
  brokenAt?: number;
  reason?: string;
}

export interface SegmentPart {
  seq: number;
  part: string;
  bytes: Uint8Array;
}

/** Data that projections store between runs. All of it can be deleted, and is then rebuilt from the feed. */
export interface Segments {
  manifest(kind: string, streamNo: number): Awaitable<string | undefined>;
  part(kind: string, streamNo: number, seq: number, part: string): Awaitable<Uint8Array | undefined>;
  /** Deletes the data of streams that no longer exist. */
  prune(kind: string, keep: ReadonlySet<number>): Awaitable<void>;
  /**
   * In one step, deletes the given segments or parts, stores the new parts and replaces the manifest. With `expected`,
   * only if that is still the manifest. Returns whether anything was saved.
   */
  save(
    kind: string,
    streamNo: number,
    change: {
      manifest: string;
      drop: readonly { seq: number; part?: string }[];
      put: readonly SegmentPart[];
      expected?: { manifest: string | undefined };
    },
  ): Awaitable<boolean>;
}
