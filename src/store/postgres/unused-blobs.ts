// Finds blobs that only one connection uses, and deletes blobs that no record uses any more.
import type { ReadView, WriteView } from "../store.ts";
import type { Connection } from "./connection.ts";
import type { ReadConnection } from "./optimistic-read.ts";

export const ownBlobs = (connection: ReadConnection, subject: string): Pick<ReadView, "ownBlobs"> => ({
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
});

export const dropUnusedBlobs = (connection: Connection, subject: string): Pick<WriteView, "dropUnusedBlobs"> => ({
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
    return rows.map(([blobId, generation]) => ({ blobId: blobId as string, generation: generation as string | null }));
  },
});
