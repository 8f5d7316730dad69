// Finds blobs that only one connection uses, and deletes blobs that no record uses any more.
import type { DatabaseSync } from "node:sqlite";
import type { ReadView, WriteView } from "../store.ts";
import { sound } from "./row-sums.ts";

export function ownBlobs(database: DatabaseSync): Pick<ReadView, "ownBlobs"> {
  const own = database.prepare(
    `SELECT count(*) AS blobs, coalesce(sum(size_bytes), 0) AS bytes FROM blob WHERE ${sound("blob")} AND blob_id IN (
       SELECT blob_id FROM blob_use JOIN stream USING (stream_no) WHERE ${sound("blob_use")} AND ${sound("stream")} GROUP BY blob_id
       HAVING min(connection_id) = ?1 AND max(connection_id) = ?1)`,
  );
  return {
    ownBlobs(connectionId) {
      const row = own.get(connectionId)!;
      return { count: row.blobs as number, bytes: row.bytes as number };
    },
  };
}

export function dropUnusedBlobs(database: DatabaseSync): Pick<WriteView, "dropUnusedBlobs"> {
  const dropUnused = database.prepare(
    "DELETE FROM blob WHERE blob_id = ?1 AND NOT EXISTS (SELECT 1 FROM blob_use WHERE blob_id = ?1) RETURNING generation",
  );
  return {
    dropUnusedBlobs: (blobIds) =>
      [...new Set(blobIds)].flatMap((blobId) => {
        const row = dropUnused.get(blobId);
        return row === undefined ? [] : [{ blobId, generation: row.generation as string | null }];
      }),
  };
}
