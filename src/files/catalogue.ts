// The catalogue of the files lens: the roots that the owner approved, their indexes, and the jobs that scan them.
import { randomBytes } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import type { FilePower } from "../contract/file-access.ts";
import type { FileJob, FileJobProgress, FileJobStatus, IndexOptions } from "../contract/files.ts";
import { openDatabase } from "../store/sqlite/database.ts";

/** Element n migrates a catalogue from version n to n + 1. Never edit a released one; add another. */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value ANY) STRICT, WITHOUT ROWID;
  -- AUTOINCREMENT, so that the handle of a removed root or index never refers to another one.
  CREATE TABLE root (
    no INTEGER PRIMARY KEY AUTOINCREMENT, path BLOB NOT NULL UNIQUE, name TEXT NOT NULL, created_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE file_index (
    no INTEGER PRIMARY KEY AUTOINCREMENT, root INTEGER NOT NULL, options TEXT NOT NULL, created_at INTEGER NOT NULL,
    UNIQUE (root, options)
  ) STRICT;
  CREATE TABLE job (
    job_id TEXT PRIMARY KEY, kind TEXT NOT NULL, file_index INTEGER NOT NULL, request TEXT NOT NULL, status TEXT NOT NULL,
    started_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, progress TEXT NOT NULL, scan INTEGER, error TEXT
  ) STRICT;
  CREATE INDEX job_by_start ON job (started_at);
  `,
  // Entering other file systems is the owner's choice per root (G-07). It used to be an option that an app could set,
  // and nothing recorded who set it, so every root starts with it off. An index keeps its old options if the change
  // would make it a duplicate of another.
  `
  ALTER TABLE root ADD COLUMN cross_mounts INTEGER NOT NULL DEFAULT 0;
  UPDATE OR IGNORE file_index SET options = json_remove(options, '$.crossMounts') WHERE options LIKE '%"crossMounts":true%';
  `,
];

export interface RootRow {
  no: number;
  path: Uint8Array;
  name: string;
  created_at: number;
  /** 1 if scans enter other file systems below the root. */
  cross_mounts: number;
}

export interface IndexRow {
  no: number;
  root: number;
  options: IndexOptions;
  created_at: number;
}

export interface FileJobRow {
  jobId: string;
  kind: FileJob["kind"];
  index: number;
  request: FileJobRequest;
  status: FileJobStatus;
  startedAt: number;
  updatedAt: number;
  progress: FileJobProgress;
  scan: number | null;
  error: string | null;
}

export interface FileJobRequest {
  verify?: boolean;
  minSize?: number;
  /** True if the index was created for this job, so that the scan will read every directory. */
  isNew?: boolean;
  /** The apps that the job runs for. Absent if it runs for the owner. */
  holders?: JobHolder[];
}

/** The authority of a job that an app started: the job ends when the grant no longer has these powers (G-08). */
export interface JobHolder {
  /** The id of a grant or a package. */
  grant: string;
  connectionId: string;
  may: readonly FilePower[];
}

/** How many jobs are kept. */
const JOBS_KEPT = 500;

export class Catalogue {
  readonly #database: DatabaseSync;

  constructor(path: string) {
    this.#database = openDatabase({
      path,
      migrations: MIGRATIONS,
      synchronous: "FULL",
      cacheMegabytes: 1,
      keepCopy: true,
    });
    this.#database.exec("PRAGMA wal_autocheckpoint = 200");
  }

  /** Changes whenever another process writes to the catalogue. */
  get version(): number {
    return this.#database.prepare("PRAGMA data_version").get()!.data_version as number;
  }

  /** The key that seals cursors. Created once. */
  get key(): Uint8Array {
    this.#database.prepare("INSERT OR IGNORE INTO meta VALUES ('key', ?)").run(randomBytes(32));
    return this.#database.prepare("SELECT value FROM meta WHERE key = 'key'").get()!.value as Uint8Array;
  }

  roots(): RootRow[] {
    return this.#database.prepare("SELECT * FROM root ORDER BY no").all() as unknown as RootRow[];
  }

  root(no: number): RootRow | undefined {
    return this.#database.prepare("SELECT * FROM root WHERE no = ?").get(no) as unknown as RootRow | undefined;
  }

  addRoot(path: Uint8Array, name: string, now: number): number {
    const { lastInsertRowid } = this.#database
      .prepare("INSERT INTO root (path, name, created_at) VALUES (?, ?, ?)")
      .run(path, name, now);
    return Number(lastInsertRowid);
  }

  renameRoot(no: number, name: string): void {
    this.#database.prepare("UPDATE root SET name = ? WHERE no = ?").run(name, no);
  }

  setCrossMounts(no: number, crossMounts: boolean): void {
    this.#database.prepare("UPDATE root SET cross_mounts = ? WHERE no = ?").run(Number(crossMounts), no);
  }

  removeRoot(no: number): void {
    this.#database.prepare("DELETE FROM root WHERE no = ?").run(no);
  }

  indexes(): IndexRow[] {
    return this.#database.prepare("SELECT * FROM file_index ORDER BY no").all().map(indexFrom);
  }

  index(no: number): IndexRow | undefined {
    const row = this.#database.prepare("SELECT * FROM file_index WHERE no = ?").get(no);
    return row === undefined ? undefined : indexFrom(row);
  }

  /** Returns the index of a root with these options, and creates it if it is missing. */
  ensureIndex(root: number, options: string, now: number): number {
    this.#database
      .prepare("INSERT OR IGNORE INTO file_index (root, options, created_at) VALUES (?, ?, ?)")
      .run(root, options, now);
    const row = this.#database.prepare("SELECT no FROM file_index WHERE root = ? AND options = ?").get(root, options);
    return row!.no as number;
  }

  removeIndex(no: number): void {
    this.#database.prepare("DELETE FROM job WHERE file_index = ?").run(no);
    this.#database.prepare("DELETE FROM file_index WHERE no = ?").run(no);
  }

  /** Newest first. */
  jobs(): FileJobRow[] {
    return this.#database.prepare("SELECT * FROM job ORDER BY started_at DESC, rowid DESC").all().map(jobFrom);
  }

  unfinishedJobs(): FileJobRow[] {
    return this.#database
      .prepare("SELECT * FROM job WHERE status IN ('queued', 'running', 'paused') ORDER BY started_at, rowid")
      .all()
      .map(jobFrom);
  }

  job(jobId: string): FileJobRow | undefined {
    const row = this.#database.prepare("SELECT * FROM job WHERE job_id = ?").get(jobId);
    return row === undefined ? undefined : jobFrom(row);
  }

  /** Stores a job's progress. Losing it in a power cut does no harm, so the event loop does not wait for the disk. */
  noteJob(job: FileJobRow): void {
    this.#database.exec("PRAGMA synchronous = NORMAL");
    this.putJob(job);
    this.#database.exec("PRAGMA synchronous = FULL");
  }

  putJob(job: FileJobRow): void {
    this.#database
      .prepare(`
        INSERT INTO job VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (job_id) DO UPDATE SET status = excluded.status, updated_at = excluded.updated_at,
          progress = excluded.progress, scan = excluded.scan, error = excluded.error, request = excluded.request`)
      .run(
        job.jobId,
        job.kind,
        job.index,
        JSON.stringify(job.request),
        job.status,
        job.startedAt,
        job.updatedAt,
        JSON.stringify(job.progress),
        job.scan,
        job.error,
      );
    this.#database
      .prepare("DELETE FROM job WHERE job_id IN (SELECT job_id FROM job ORDER BY started_at DESC LIMIT -1 OFFSET ?)")
      .run(JOBS_KEPT);
  }

  close(): void {
    this.#database.close();
  }
}

type CatalogueRow = Record<string, unknown>;

function indexFrom(row: CatalogueRow): IndexRow {
  const { crossMounts: _old, ...options } = JSON.parse(row.options as string) as IndexOptions & { crossMounts?: true };
  return { no: row.no as number, root: row.root as number, options, created_at: row.created_at as number };
}

const jobFrom = (row: CatalogueRow): FileJobRow => ({
  jobId: row.job_id as string,
  kind: row.kind as FileJobRow["kind"],
  index: row.file_index as number,
  request: JSON.parse(row.request as string) as FileJobRequest,
  status: row.status as FileJobStatus,
  startedAt: row.started_at as number,
  updatedAt: row.updated_at as number,
  progress: JSON.parse(row.progress as string) as FileJobProgress,
  scan: row.scan as number | null,
  error: row.error as string | null,
});
