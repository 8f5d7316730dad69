// Connections, blob rows, connector state and jobs.
import type { JsonValue } from "../../contract/record.ts";
import type { BlobRow, BlobUse, ConnectionRow, JobRow } from "../rows.ts";
import type { ReadView, WriteView } from "../store.ts";
import { rowShape } from "./row-shape.ts";
import * as statements from "./statements.ts";
import { after, done, found, INSERTED, list, select, type TableReads, type TableWrites } from "./statements.ts";

const CONNECTION = rowShape<ConnectionRow>("connection", { without: ["subject_id"] });
const BLOB = rowShape<BlobRow>("blob", { without: ["created_at"] });
const BLOB_USE = rowShape<BlobUse>("blob_use", { without: ["blob_id"] });
const JOB = rowShape<JobRow>("job", { without: ["subject_id"], json: ["request", "progress"] });

const CONNECTIONS = select("connection", CONNECTION.columns, ["subject_id"], { order: "created_at, connection_id" });
const ONE_BLOB = select("blob", BLOB.columns, ["blob_id"]);
const USES = select("blob_use", BLOB_USE.columns, ["blob_id"]);
const STATE = select("state", ["stream", "cursor", "updated_at"], ["subject_id", "connection_id"], { order: "stream" });
const JOBS = select("job", JOB.columns, ["subject_id"], { order: `started_at DESC, ${INSERTED} DESC` });
const ONE_JOB = select("job", JOB.columns, ["subject_id", "job_id"]);

type SmallReads = Pick<ReadView, "connections" | "blob" | "blobUses" | "state" | "jobs" | "job">;

export const smallReads = (tables: TableReads): SmallReads => ({
  connections: (subjectId) => list(tables.rows(CONNECTIONS, subjectId), CONNECTION.read),
  blob: (blobId) => found(tables.row(ONE_BLOB, blobId), BLOB.read),
  blobUses: (blobId) => list(tables.rows(USES, blobId), BLOB_USE.read),
  state: (subjectId, connectionId) =>
    after(tables.rows(STATE, subjectId, connectionId), (rows) => ({
      state: Object.fromEntries(
        rows.map(([stream, cursor]) => [stream as string, JSON.parse(cursor as string) as JsonValue]),
      ),
      updatedAt: rows.length === 0 ? null : Math.max(...rows.map(([, , updatedAt]) => updatedAt as number)),
    })),
  jobs: (subjectId) => list(tables.rows(JOBS, subjectId), JOB.read),
  job: (subjectId, jobId) => found(tables.row(ONE_JOB, subjectId, jobId), JOB.read),
});

const PUT_CONNECTION = statements.insert("connection", ["subject_id", ...CONNECTION.columns]);
const RENAME = statements.update("connection", ["display_name"], ["connection_id"]);
const PUT_BLOB = statements.insert("blob", [...BLOB.columns, "created_at"], { key: ["blob_id"], change: [] });
const PUT_STATE = statements.insert("state", ["subject_id", "connection_id", "stream", "cursor", "updated_at"], {
  key: ["connection_id", "stream"],
  change: ["cursor", "updated_at"],
});
const PUT_JOB = statements.insert("job", ["subject_id", ...JOB.columns], {
  key: ["job_id"],
  change: ["status", "updated_at", "progress", "expires_at"],
});
const DELETE_JOB = statements.remove("job", ["subject_id", "job_id"]);

type SmallWrites = Pick<
  WriteView,
  "putConnection" | "renameConnection" | "putBlob" | "putState" | "putJob" | "deleteJob"
>;

export const smallWrites = (tables: TableWrites, bumpEpoch: () => void): SmallWrites => ({
  putConnection: (subjectId, connection) =>
    done(tables.run(PUT_CONNECTION, subjectId, ...CONNECTION.cells(connection)), bumpEpoch),
  renameConnection: (connectionId, displayName) => done(tables.run(RENAME, displayName, connectionId), bumpEpoch),
  putBlob: (blob, now) => done(tables.run(PUT_BLOB, ...BLOB.cells(blob), now)),
  async putState(subjectId, connectionId, state, now) {
    for (const [stream, cursor] of Object.entries(state))
      await tables.run(PUT_STATE, subjectId, connectionId, stream, JSON.stringify(cursor), now);
  },
  putJob: (subjectId, job) => done(tables.run(PUT_JOB, subjectId, ...JOB.cells(job))),
  deleteJob: (subjectId, jobId) => done(tables.run(DELETE_JOB, subjectId, jobId)),
});
