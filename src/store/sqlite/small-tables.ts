// Blob rows, connector state and jobs.
import type { DatabaseSync } from "node:sqlite";
import type { JsonValue } from "../../contract/record.ts";
import type { JobRow, ReadView, WriteView } from "../store.ts";
import { insertInto, sound, sumOf } from "./row-sums.ts";

type SmallReads = Pick<ReadView, "blob" | "ownBlobs" | "blobUses" | "state" | "jobs" | "job">;

export function smallReads(database: DatabaseSync): SmallReads {
  const blob = database.prepare(
    `SELECT blob_id, generation, mime_type, size_bytes, sha256 FROM blob WHERE blob_id = ? AND ${sound("blob")}`,
  );
  const own = database.prepare(
    `SELECT count(*) AS blobs, coalesce(sum(size_bytes), 0) AS bytes FROM blob WHERE ${sound("blob")} AND blob_id IN (
       SELECT blob_id FROM blob_use JOIN stream USING (stream_no) WHERE ${sound("blob_use")} AND ${sound("stream")} GROUP BY blob_id
       HAVING min(connection_id) = ?1 AND max(connection_id) = ?1)`,
  );
  const uses = database.prepare(
    `SELECT stream_no, record_id, field FROM blob_use WHERE blob_id = ? AND ${sound("blob_use")}`,
  );
  const state = database.prepare(
    `SELECT stream, cursor, updated_at FROM state WHERE subject_id = ? AND connection_id = ? AND ${sound("state")}`,
  );
  const columns = "job_id, kind, status, holder, request, started_at, updated_at, progress, expires_at";
  const jobs = database.prepare(
    `SELECT ${columns} FROM job WHERE subject_id = ? AND ${sound("job")} ORDER BY started_at DESC, rowid DESC`,
  );
  const job = database.prepare(`SELECT ${columns} FROM job WHERE subject_id = ? AND job_id = ? AND ${sound("job")}`);
  return {
    blob(blobId) {
      const row = blob.get(blobId);
      return (
        row && {
          blobId: row.blob_id as string,
          generation: row.generation as string | null,
          mimeType: row.mime_type as string,
          sizeBytes: row.size_bytes as number,
          sha256: row.sha256 as string,
        }
      );
    },
    ownBlobs(connectionId) {
      const row = own.get(connectionId)!;
      return { count: row.blobs as number, bytes: row.bytes as number };
    },
    blobUses: (blobId) =>
      uses.all(blobId).map((row) => ({
        streamNo: row.stream_no as number,
        recordId: row.record_id as string,
        field: row.field as string,
      })),
    state(subjectId, connectionId) {
      const rows = state.all(subjectId, connectionId);
      return {
        state: Object.fromEntries(
          rows.map((row) => [row.stream as string, JSON.parse(row.cursor as string) as JsonValue]),
        ),
        updatedAt: rows.length === 0 ? null : Math.max(...rows.map((row) => row.updated_at as number)),
      };
    },
    jobs: (subjectId) => jobs.all(subjectId).map(jobFrom),
    job(subjectId, jobId) {
      const row = job.get(subjectId, jobId);
      return row && jobFrom(row);
    },
  };
}

const jobFrom = (row: Record<string, unknown>): JobRow => ({
  jobId: row.job_id as string,
  kind: row.kind as string,
  status: row.status as JobRow["status"],
  holder: row.holder as string | null,
  request: JSON.parse(row.request as string) as JsonValue,
  startedAt: row.started_at as number,
  updatedAt: row.updated_at as number,
  progress: JSON.parse(row.progress as string) as JsonValue,
  expiresAt: row.expires_at as number | null,
});

type SmallWrites = Pick<WriteView, "putBlob" | "dropUnusedBlobs" | "putState" | "putJob" | "deleteJob">;

export function smallWrites(database: DatabaseSync): SmallWrites {
  const putBlob = database.prepare(`INSERT OR IGNORE ${insertInto("blob")}`);
  const putState = database.prepare(
    `INSERT ${insertInto("state")}
     ON CONFLICT DO UPDATE SET cursor = excluded.cursor, updated_at = excluded.updated_at, sum = excluded.sum`,
  );
  const putJob = database.prepare(
    `INSERT ${insertInto("job")}
     ON CONFLICT DO UPDATE SET status = excluded.status, updated_at = excluded.updated_at,
       progress = excluded.progress, expires_at = excluded.expires_at, sum = ${sumOf("job", {
         status: "excluded.status",
         updated_at: "excluded.updated_at",
         progress: "excluded.progress",
         expires_at: "excluded.expires_at",
       })} WHERE ${sound("job")}`,
  );
  const dropUnused = database.prepare(
    "DELETE FROM blob WHERE blob_id = ?1 AND NOT EXISTS (SELECT 1 FROM blob_use WHERE blob_id = ?1) RETURNING generation",
  );
  const deleteJob = database.prepare("DELETE FROM job WHERE subject_id = ? AND job_id = ?");
  return {
    putBlob(blob, now) {
      putBlob.run(blob.blobId, blob.generation, blob.mimeType, blob.sizeBytes, blob.sha256, now);
    },
    dropUnusedBlobs: (blobIds) =>
      [...new Set(blobIds)].flatMap((blobId) => {
        const row = dropUnused.get(blobId);
        return row === undefined ? [] : [{ blobId, generation: row.generation as string | null }];
      }),
    putState(subjectId, connectionId, state, now) {
      for (const [stream, cursor] of Object.entries(state)) {
        putState.run(subjectId, connectionId, stream, JSON.stringify(cursor), now);
      }
    },
    putJob(subjectId, job) {
      putJob.run(
        job.jobId,
        subjectId,
        job.kind,
        job.status,
        job.holder,
        JSON.stringify(job.request),
        job.startedAt,
        job.updatedAt,
        JSON.stringify(job.progress),
        job.expiresAt,
      );
    },
    deleteJob(subjectId, jobId) {
      deleteJob.run(subjectId, jobId);
    },
  };
}
