// Connections, blob rows, connector state and jobs.
import type { JsonValue } from "../../contract/record.ts";
import type { BlobRow, ConnectionRow, JobRow } from "../rows.ts";
import type { ReadView, WriteView } from "../store.ts";
import * as statements from "./statements.ts";
import { after, done, found, INSERTED, list, select, type TableReads, type TableWrites } from "./statements.ts";

const CONNECTION_COLUMNS = ["connection_id", "source_id", "display_name", "created_at"];
const BLOB_COLUMNS = ["blob_id", "generation", "mime_type", "size_bytes", "sha256"];
const JOB_COLUMNS = [
  ...["job_id", "kind", "status", "holder", "request", "started_at", "updated_at", "progress", "expires_at"],
];

const CONNECTIONS = select("connection", CONNECTION_COLUMNS.join(", "), ["subject_id"], {
  order: "created_at, connection_id",
});
const BLOB = select("blob", BLOB_COLUMNS.join(", "), ["blob_id"]);
const USES = select("blob_use", "stream_no, record_id, field", ["blob_id"]);
const STATE = select("state", "stream, cursor, updated_at", ["subject_id", "connection_id"], { order: "stream" });
const JOBS = select("job", JOB_COLUMNS.join(", "), ["subject_id"], { order: `started_at DESC, ${INSERTED} DESC` });
const JOB = select("job", JOB_COLUMNS.join(", "), ["subject_id", "job_id"]);

type SmallReads = Pick<ReadView, "connections" | "blob" | "blobUses" | "state" | "jobs" | "job">;

export const smallReads = (tables: TableReads): SmallReads => ({
  connections: (subjectId) => list(tables.rows(CONNECTIONS, subjectId), connectionFrom),
  blob: (blobId) => found(tables.row(BLOB, blobId), blobFrom),
  blobUses: (blobId) =>
    list(tables.rows(USES, blobId), ([streamNo, recordId, field]) => ({
      streamNo: streamNo as number,
      recordId: recordId as string,
      field: field as string,
    })),
  state: (subjectId, connectionId) =>
    after(tables.rows(STATE, subjectId, connectionId), (rows) => ({
      state: Object.fromEntries(
        rows.map(([stream, cursor]) => [stream as string, JSON.parse(cursor as string) as JsonValue]),
      ),
      updatedAt: rows.length === 0 ? null : Math.max(...rows.map(([, , updatedAt]) => updatedAt as number)),
    })),
  jobs: (subjectId) => list(tables.rows(JOBS, subjectId), jobFrom),
  job: (subjectId, jobId) => found(tables.row(JOB, subjectId, jobId), jobFrom),
});

const connectionFrom = ([connectionId, sourceId, displayName, createdAt]: unknown[]): ConnectionRow => ({
  connectionId: connectionId as string,
  sourceId: sourceId as string,
  displayName: displayName as string,
  createdAt: createdAt as number,
});

const blobFrom = ([blobId, generation, mimeType, sizeBytes, sha256]: unknown[]): BlobRow => ({
  blobId: blobId as string,
  generation: generation as string | null,
  mimeType: mimeType as string,
  sizeBytes: sizeBytes as number,
  sha256: sha256 as string,
});

const jobFrom = (row: unknown[]): JobRow => ({
  jobId: row[0] as string,
  kind: row[1] as string,
  status: row[2] as JobRow["status"],
  holder: row[3] as string | null,
  request: JSON.parse(row[4] as string) as JsonValue,
  startedAt: row[5] as number,
  updatedAt: row[6] as number,
  progress: JSON.parse(row[7] as string) as JsonValue,
  expiresAt: row[8] as number | null,
});

const PUT_CONNECTION = statements.insert("connection", ["subject_id", ...CONNECTION_COLUMNS]);
const RENAME = statements.update("connection", ["display_name"], ["connection_id"]);
const PUT_BLOB = statements.insert("blob", [...BLOB_COLUMNS, "created_at"], { key: ["blob_id"], change: [] });
const PUT_STATE = statements.insert("state", ["subject_id", "connection_id", "stream", "cursor", "updated_at"], {
  key: ["connection_id", "stream"],
  change: ["cursor", "updated_at"],
});
const PUT_JOB = statements.insert("job", ["subject_id", ...JOB_COLUMNS], {
  key: ["job_id"],
  change: ["status", "updated_at", "progress", "expires_at"],
});
const DELETE_JOB = statements.remove("job", ["subject_id", "job_id"]);

type SmallWrites = Pick<
  WriteView,
  "putConnection" | "renameConnection" | "putBlob" | "putState" | "putJob" | "deleteJob"
>;

export const smallWrites = (tables: TableWrites, bumpEpoch: () => void): SmallWrites => ({
  putConnection: (subjectId, { connectionId, sourceId, displayName, createdAt }) =>
    done(tables.run(PUT_CONNECTION, subjectId, connectionId, sourceId, displayName, createdAt), bumpEpoch),
  renameConnection: (connectionId, displayName) => done(tables.run(RENAME, displayName, connectionId), bumpEpoch),
  putBlob: ({ blobId, generation, mimeType, sizeBytes, sha256 }, now) =>
    done(tables.run(PUT_BLOB, blobId, generation, mimeType, sizeBytes, sha256, now)),
  async putState(subjectId, connectionId, state, now) {
    for (const [stream, cursor] of Object.entries(state))
      await tables.run(PUT_STATE, subjectId, connectionId, stream, JSON.stringify(cursor), now);
  },
  putJob(subjectId, { jobId, kind, status, holder, request, startedAt, updatedAt, progress, expiresAt }) {
    const [asked, reached] = [JSON.stringify(request), JSON.stringify(progress)];
    return done(
      tables.run(PUT_JOB, subjectId, jobId, kind, status, holder, asked, startedAt, updatedAt, reached, expiresAt),
    );
  },
  deleteJob: (subjectId, jobId) => done(tables.run(DELETE_JOB, subjectId, jobId)),
});
