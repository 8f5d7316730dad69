// Store: rows, a change feed, and the small tables around them. The contract both engines keep.
//
// A read runs in one consistent snapshot, a write in one transaction: all of it is durable when the promise resolves,
// or none of it happened. Methods that return records take a compiled Plan, so code that forgot the grant does not
// type-check. Methods may answer at once or with a promise: SQLite is synchronous in its thread, PostgreSQL is not.
import type { KeyObject } from "node:crypto";
import type { KeptQuery } from "../contract/activity.ts";
import type { SourceDeclaration } from "../contract/declaration.ts";
import type { Grant, GrantWords } from "../contract/grant.ts";
import type { JsonValue } from "../contract/record.ts";
import type { WhyRequest } from "../contract/why.ts";
import type { Plan, StoredRow } from "../core/plan.ts";
import type {
  AuthItem,
  BlobRow,
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
  /** Concurrent writes may share one commit; each still succeeds or fails alone. */
  write<T>(work: (view: WriteView) => Awaitable<T>, options?: WriteOptions): Promise<T>;
  readonly audit: AuditLog;
  readonly segments: Segments;
  /** Seals cursors; one per home, kept beside the data. */
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

/** A life of the feed. A restore from a backup ends one: versions after `until` may have meant something else. */
export interface Era {
  name: string;
  /** The last version of it that still stands; null while it lasts. */
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
  /** The work may be done twice: a store may begin without a snapshot, and again with one where something was written meanwhile. */
  repeatable?: boolean;
}

export interface WriteOptions {
  /**
   * The caller repeats this write after a power cut: a store that no other process has open may resolve before it is on the disk.
   * Later writes are on the disk only together with it.
   */
  redoable?: boolean;
  /** Written by a job: the election that it runs under. Refused when another process was elected since. */
  term?: number;
  /** Takes access away: it does not wait for another process that stopped in the middle of a write. */
  urgent?: boolean;
}

export interface ReadView {
  /** Changes whenever sources, connections or grants change or a token goes: what was resolved before may be kept until then. */
  epoch(): Awaitable<number>;
  /** The feed's newest version. */
  version(): Awaitable<number>;
  /** The feed's lives, oldest first; the last one lasts. */
  eras(): Awaitable<Era[]>;
  /** Throws `store_unavailable` when nothing would be taken now that is written, or its clock and ours are far apart. */
  usable(): Awaitable<void>;

  /** The default subject, made with the home. */
  subject(): Awaitable<string>;
  token(hash: string): Awaitable<TokenRow | undefined>;
  /** Newest first. */
  tokensOf(subjectId: string, kind: "owner" | "session"): Awaitable<HeldToken[]>;
  owner(subjectId: string): Awaitable<OwnerRow | undefined>;
  authItem(kind: string, hash: string): Awaitable<AuthItem | undefined>;
  authItemBy(kind: string, key: "uid" | "user_code", value: string): Awaitable<AuthItem | undefined>;
  /** Without those that have expired. */
  countAuthItems(kind: string, now: number): Awaitable<number>;
  client(clientId: string): Awaitable<{ subjectId: string; name: string } | undefined>;
  grants(subjectId: string): Awaitable<GrantRow[]>;
  grant(grantId: string): Awaitable<GrantRow | undefined>;
  grantsOfPackage(packageId: string): Awaitable<GrantRow[]>;

  sources(subjectId: string): Awaitable<SourceRow[]>;
  connections(subjectId: string): Awaitable<ConnectionRow[]>;
  streams(subjectId: string): Awaitable<StreamRow[]>;

  point(plan: Plan, id: string): Awaitable<StoredRow | undefined>;
  /** Live rows by (ord, id), nulls last in both directions, inside the plan's time window. Needs `plan.byOrder`. */
  page(plan: Plan, page: OrderPage): Awaitable<StoredRow[]>;
  /** Rows by version, in the order asked. Their `ord` may be null unless the plan has a window. */
  rows(plan: Plan, versions: readonly number[]): Awaitable<StoredRow[]>;
  /** Feed positions after `after`, up to `upTo`, each with the record as it is now; the newest first where `descending`. */
  feed(plan: Plan, after: number, upTo: number, limit: number, descending?: boolean): Awaitable<FeedEntry[]>;
  /** Rows by version, newest first: to find out what changed last. */
  newest(plan: Plan, span: NewestSpan): Awaitable<StoredRow[]>;
  /** Live rows of the whole stream, and when it last changed. */
  total(plan: Plan): Awaitable<{ live: number; changedAt: number | null }>;

  /** The raw feed, for projections; they show nothing by themselves. */
  changes(streamNo: number, after: number, upTo: number, limit: number): Awaitable<FeedRow[]>;
  allChanges(after: number, upTo: number, limit: number): Awaitable<FeedRow[]>;
  /** How many records a stream has, for a projection that has read all of them; absent where the engine checks its pages itself. */
  liveRows?(streamNo: number): Awaitable<number>;

  /** Live records whose present state came from there, by version; `created`: so did their life. A scan. */
  recordsFrom(
    streamNo: number,
    origin: { run_id?: string; file?: string },
    page: { after: number; upTo: number; limit: number },
  ): Awaitable<{ version: number; id: string; created: boolean }[]>;

  blob(blobId: string): Awaitable<BlobRow | undefined>;
  /** Blobs that go with a connection: no record elsewhere refers to them. */
  ownBlobs(connectionId: string): Awaitable<{ count: number; bytes: number }>;
  blobUses(blobId: string): Awaitable<{ streamNo: number; recordId: string; field: string }[]>;
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
  /** Those with something to do by then, the longest overdue first. */
  dueItems(subjectId: string, kind: string, by: number, limit: number): Awaitable<ItemRow[]>;
}

export interface FeedEntry {
  position: number;
  row: StoredRow;
}

/** Both ends are outside. `changed`: only rows that changed since they were first stored, found through an index. */
export interface NewestSpan {
  after: number;
  before: number;
  limit: number;
  changed: boolean;
}

export interface Change {
  id: string;
  /** JSON text; null deletes. */
  data: string | null;
  ord: string | number | null;
  /** The consent time of the record, in ms. */
  time: number | null;
  emittedAt: number;
  origin: string | null;
  blobs: { blobId: string; field: string }[];
}

export interface BatchOptions {
  /** append_only: a key that exists stays as it is. */
  appendOnly: boolean;
  /** The consent time of stored data, for records that change. */
  timeOf: (data: string) => number | null;
  now: number;
  /** Told of each change that changed anything, by its place in the batch. */
  onOutcome?: (index: number, outcome: "created" | "changed") => void;
  /** Told of each upsert that changed nothing: what is stored, and where it came from; `created`: so did its life. */
  onSame?: (index: number, stored: { data: string; origin: string | null; created: boolean }) => void;
  /** Told of each blob that a record referred to before it was changed or deleted; others may refer to it still. */
  onReleased?: (blobId: string) => void;
}

export interface WriteView extends ReadView {
  putSource(subjectId: string, connectorKey: string, declaration: SourceDeclaration, now: number): Awaitable<void>;
  putConnection(subjectId: string, connection: ConnectionRow): Awaitable<void>;
  renameConnection(connectionId: string, displayName: string): Awaitable<void>;
  /** Deletes the connection and all it holds; answers how many live records went, and which blobs they referred to. */
  deleteConnection(connectionId: string): Awaitable<{ live: number; blobs: string[] }>;
  /** The stream's number, made on first use. */
  openStream(connectionId: string, name: string): Awaitable<number>;
  /** Applies changes in order; answers how many changed anything. */
  apply(streamNo: number, changes: readonly Change[], options: BatchOptions): Awaitable<number>;

  putClient(subjectId: string, clientId: string, name: string, now: number): Awaitable<void>;
  putGrant(subjectId: string, grant: Grant, packageId: string | null, words: GrantWords): Awaitable<void>;
  revokeGrant(grantId: string, now: number, by: EndedBy): Awaitable<void>;
  /** Undoes a revocation. */
  restoreGrant(grantId: string): Awaitable<void>;
  /** Replaces what a grant allows, and the words in which the owner agreed to it. */
  changeGrant(grant: Grant, words: GrantWords | null): Awaitable<void>;
  /** Of the tokens of a grant or a package, those that expire with it. */
  moveTokenExpiry(id: string, from: number, to: number | null): Awaitable<void>;
  consumeGrant(grantId: string, now: number): Awaitable<void>;
  putToken(hash: string, token: TokenRow, now: number): Awaitable<void>;
  deleteToken(hash: string): Awaitable<void>;

  putOwner(owner: OwnerRow): Awaitable<void>;
  putAuthItem(item: AuthItem): Awaitable<void>;
  /** False when it was consumed before: of two that race, one wins. */
  consumeAuthItem(kind: string, hash: string, now: number): Awaitable<boolean>;
  deleteAuthItem(kind: string, hash: string): Awaitable<void>;
  deleteAuthItemsOfGrant(grantId: string): Awaitable<void>;
  /** Of those that expire, the one that would first. */
  dropOldestAuthItem(kind: string): Awaitable<void>;
  /** It stays until it is deleted. */
  keepAuthItem(kind: string, hash: string): Awaitable<void>;
  /** Drops what expired before `now`: items, and tokens of sessions. */
  pruneAuth(now: number): Awaitable<void>;

  putBlob(blob: BlobRow, now: number): Awaitable<void>;
  /** Forgets those of them that no record refers to; answers which. */
  dropUnusedBlobs(blobIds: Iterable<string>): Awaitable<Pick<BlobRow, "blobId" | "generation">[]>;
  putState(subjectId: string, connectionId: string, state: Record<string, JsonValue>, now: number): Awaitable<void>;
  /** Of a job that exists, what it is and whose stays as it was. */
  putJob(subjectId: string, job: JobRow): Awaitable<void>;
  deleteJob(subjectId: string, jobId: string): Awaitable<void>;
  /** Of an item that exists, when it was made stays as it was. */
  putItem(subjectId: string, item: ItemRow): Awaitable<void>;
  deleteItem(subjectId: string, kind: string, id: string): Awaitable<void>;
  /** All of that kind that go with the holder. */
  deleteItems(subjectId: string, kind: string, holder: string): Awaitable<void>;
}

/** One line of the audit log. It names what was read and what was asked for, never what a record said, and carries no secret. */
export interface AuditEntry {
  at: number;
  subject_id: string;
  /** server: the log speaks of itself. */
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
  /** The stream and fields that a denied call under a grant named. */
  asked?: WhyRequest;
  /** Of an answered call of an app: what it asked for, bounded. */
  query?: KeptQuery;
  /** Ids of the records that the answer had, the first of them; `records` counts all. */
  ids?: string[];
  /** Answers of that time may have lost their lines to a power cut. */
  may_be_missing?: { since: number; until: number };
  request_id: string;
}

export interface AuditRow extends AuditEntry {
  n: number;
}

/** Conditions on a line; all of them must hold. */
export interface AuditWanted {
  /** A grant; or a package: then the calls that no one of its grants was used for. */
  grantId?: string;
  clientId?: string;
  actor?: "owner" | "app";
  action?: string;
  /** Read, or named by a call that was denied. */
  connectionId?: string;
  stream?: string;
  /** `failed`: every outcome but ok, denials among them. */
  outcome?: "ok" | "denied" | "failed";
  /** Callers choose request ids: several requests may have one. */
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
  /** Lines before this one were not looked at; absent when none are left. The page may have room: looking has an end. */
  next?: number;
}

/** Totals under a grant, or under a package where no single grant was used. */
export interface AuditUse {
  /** By stream; calls that read none stand under empty names. */
  totals: AuditTotal[];
  /** Newest first. */
  recent: AuditRow[];
}

export interface AuditTotal {
  connectionId: string;
  stream: string;
  /** Answered. The line that closes a streamed answer is no call of its own. */
  calls: number;
  denied: number;
  records: number;
  bytes: number;
  /** Of the last answered call. */
  usedAt: number | null;
}

/** Appended in one commit before the answers leave; each entry is chained to the one before by a keyed hash. */
export interface AuditLog {
  /**
   * With the epoch of what was read where other processes write for the same owner: only while it is still so. False: nothing was
   * put on record, and what was read is not to be answered.
   */
  append(entries: readonly AuditEntry[], epoch?: number): Awaitable<boolean>;
  /** Moves waiting lines into the log; readers of the log do this first. */
  gather(): Awaitable<void>;
  /** The same, and when it is done a power cut takes none of them. */
  sync(): Awaitable<void>;
  /** Found through an index: what it costs grows with what is found, not with the log. */
  list(query: AuditQuery): Awaitable<AuditPage>;
  /** By grant or package, at a cost that does not grow with the log. */
  uses(ids: readonly string[], recent: number): Awaitable<Map<string, AuditUse>>;
  /** Walks the whole chain, in slices between which others get their turn; answers the first entry that does not fit. */
  verify(options?: AuditWalkOptions): Promise<AuditVerdict>;
}

export interface AuditProgress {
  entries: number;
  of: number;
}

export interface AuditWalkOptions {
  /** After each slice; the next one waits for it. */
  onProgress?: (progress: AuditProgress) => Awaitable<void>;
  /** Ends it after the present slice. */
  signal?: AbortSignal;
}

export interface AuditVerdict {
  entries: number;
  /** Entries that say that lines may be missing; absent: none does. */
  gaps?: number;
  brokenAt?: number;
  reason?: string;
}

export interface SegmentPart {
  seq: number;
  part: string;
  bytes: Uint8Array;
}

/** Data that projections keep between runs. All of it can be deleted and is rebuilt from the feed. */
export interface Segments {
  manifest(kind: string, streamNo: number): Awaitable<string | undefined>;
  part(kind: string, streamNo: number, seq: number, part: string): Awaitable<Uint8Array | undefined>;
  /**
   * Atomic: drops the segments or single parts named, puts the parts, replaces the manifest. With `expected`, only if
   * that is the manifest now; answers whether it was.
   */
  /** Drops what is kept for streams that no longer exist. */
  prune(kind: string, keep: ReadonlySet<number>): Awaitable<void>;
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
