// Blob rows, connector state and jobs.
import type { JsonValue } from "../../contract/record.ts";
import type { JobRow, ReadView, WriteView } from "../store.ts";
import type { Connection } from "./connection.ts";
import type { Asked } from "./glance.ts";

type SmallReads = Pick<ReadView, "blob" | "ownBlobs" | "blobUses" | "state" | "jobs" | "job">;

const JOB = "job_id, kind, status, holder, request, started_at, updated_at, progress, expires_at";

export function smallReads(connection: Asked, subject: string): SmallReads {
  return {
    async blob(blobId) {
      const row = await connection.row(
        "SELECT blob_id, generation, mime_type, size_bytes, sha256 FROM blob WHERE subject_id = $1 AND blob_id = $2",
        subject,
        blobId,
      );
      return (
        row && {
          blobId: row[0] as string,
          generation: row[1] as string | null,
          mimeType: row[2] as string,
          sizeBytes: row[3] as number,
          sha256: row[4] as string,
        }
      );
    },
    async ownBlobs(connectionId) {
      const [[count, bytes]] = (await connection.rows(
        `SELECT count(*), coalesce(sum(size_bytes), 0)::bigint FROM blob WHERE subject_id = $1 AND blob_id IN (
           SELECT blob_id FROM blob_use JOIN stream USING (subject_id, stream_no) WHERE subject_id = $1 GROUP BY blob_id
           HAVING min(connection_id) = $2 AND max(connection_id) = $2)`,
        subject,
        connectionId,
      )) as [[number, number]];
      return { count, bytes };
    },
    async blobUses(blobId) {
      const rows = await connection.rows(
        "SELECT stream_no, record_id, field FROM blob_use WHERE subject_id = $1 AND blob_id = $2",
        subject,
        blobId,
      );
      return rows.map(([streamNo, recordId, field]) => ({
        streamNo: streamNo as number,
        recordId: recordId as string,
        field: field as string,
      }));
    },
    async state(subjectId, connectionId) {
      const rows = await connection.rows(
        "SELECT stream, cursor, updated_at FROM state WHERE subject_id = $1 AND connection_id = $2 ORDER BY stream",
        subjectId,
        connectionId,
      );
      return {
        state: Object.fromEntries(
          rows.map(([stream, cursor]) => [stream as string, JSON.parse(cursor as string) as JsonValue]),
        ),
        updatedAt: rows.length === 0 ? null : Math.max(...rows.map(([, , updatedAt]) => updatedAt as number)),
      };
    },
    async jobs(subjectId) {
      const rows = await connection.rows(
        `SELECT ${JOB} FROM job WHERE subject_id = $1 ORDER BY started_at DESC, n DESC`,
        subjectId,
      );
      return rows.map(jobFrom);
    },
    async job(subjectId, jobId) {
      const row = await connection.row(
        `SELECT ${JOB} FROM job WHERE subject_id = $1 AND job_id = $2`,
        subjectId,
        jobId,
      );
      return row && jobFrom(row);
    },
  };
}

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

type SmallWrites = Pick<WriteView, "putBlob" | "dropUnusedBlobs" | "putState" | "putJob" | "deleteJob">;

export function smallWrites(connection: Connection, subject: string): SmallWrites {
  return {
    async putBlob({ blobId, generation, mimeType, sizeBytes, sha256 }, now) {
      await connection.run(
        `INSERT INTO blob (subject_id, blob_id, generation, mime_type, size_bytes, sha256, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`,
        subject,
        blobId,
        generation,
        mimeType,
        sizeBytes,
        sha256,
        now,
      );
    },
    async dropUnusedBlobs(blobIds) {
      const asked = [...new Set(blobIds)];
      if (asked.length === 0) return [];
      const rows = await connection.rows(
        `DELETE FROM blob WHERE subject_id = $1 AND blob_id = ANY ($2::text[]) AND NOT EXISTS (
           SELECT 1 FROM blob_use WHERE blob_use.subject_id = $1 AND blob_use.blob_id = blob.blob_id)
         RETURNING blob_id, generation`,
        subject,
        asked,
      );
      return rows.map(([blobId, generation]) => ({
        blobId: blobId as string,
        generation: generation as string | null,
      }));
    },
    async putState(subjectId, connectionId, state, now) {
      for (const [stream, cursor] of Object.entries(state)) {
        await connection.run(
          `INSERT INTO state (subject_id, connection_id, stream, cursor, updated_at) VALUES ($1, $2, $3, $4, $5)
           ON CONFLICT (subject_id, connection_id, stream)
           DO UPDATE SET cursor = excluded.cursor, updated_at = excluded.updated_at`,
          subjectId,
          connectionId,
          stream,
          JSON.stringify(cursor),
          now,
        );
      }
    },
    async putJob(subjectId, job) {
      await connection.run(
        `INSERT INTO job (subject_id, ${JOB}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
         ON CONFLICT (subject_id, job_id) DO UPDATE SET status = excluded.status, updated_at = excluded.updated_at,
           progress = excluded.progress, expires_at = excluded.expires_at`,
        subjectId,
        job.jobId,
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
    async deleteJob(subjectId, jobId) {
      await connection.run("DELETE FROM job WHERE subject_id = $1 AND job_id = $2", subjectId, jobId);
    },
  };
}
