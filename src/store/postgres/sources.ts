// Sources with declaration snapshots, streams, and everything that is deleted with a connection.
import type { SourceDeclaration } from "../../contract/declaration.ts";
import type { ReadView, WriteView } from "../store.ts";
import type { Connection } from "./connection.ts";
import type { ReadConnection } from "./optimistic-read.ts";

type SourceReads = Pick<ReadView, "sources" | "streams" | "ownBlobs">;

export function sourceReads(connection: ReadConnection, subject: string): SourceReads {
  return {
    async sources(subjectId) {
      const rows = await connection.rows(
        `SELECT source.source_id, connector_key, body, registered_at
         FROM source JOIN declaration USING (subject_id, declaration_no) WHERE subject_id = $1 ORDER BY connector_key`,
        subjectId,
      );
      return rows.map(([sourceId, connectorKey, body, registeredAt]) => ({
        sourceId: sourceId as string,
        connectorKey: connectorKey as string,
        declaration: JSON.parse(body as string) as SourceDeclaration,
        registeredAt: registeredAt as number,
      }));
    },
    async streams(subjectId) {
      const rows = await connection.rows(
        "SELECT stream_no, connection_id, name FROM stream WHERE subject_id = $1 ORDER BY stream_no",
        subjectId,
      );
      return rows.map(([streamNo, connectionId, name]) => ({
        streamNo: streamNo as number,
        connectionId: connectionId as string,
        name: name as string,
      }));
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
  };
}

type SourceWrites = Pick<WriteView, "putSource" | "deleteConnection" | "openStream" | "dropUnusedBlobs">;

export function sourceWrites(connection: Connection, subject: string, bumpEpoch: () => void): SourceWrites {
  const streamsOf = async (connectionId: string): Promise<{ numbers: number[]; live: number }> => {
    const rows = await connection.rows(
      "SELECT stream_no, live FROM stream WHERE subject_id = $1 AND connection_id = $2",
      subject,
      connectionId,
    );
    return {
      numbers: rows.map(([streamNo]) => streamNo as number),
      live: rows.reduce((sum, [, live]) => sum + (live as number), 0),
    };
  };
  return {
    async putSource(subjectId, connectorKey, declaration, now) {
      const sourceId = declaration.source.id;
      const [declarationNo] = (await connection.row(
        "UPDATE home SET declarations = declarations + 1 WHERE subject_id = $1 RETURNING declarations",
        subjectId,
      ))! as [number];
      await connection.run(
        "INSERT INTO declaration (subject_id, declaration_no, source_id, body, registered_at) VALUES ($1, $2, $3, $4, $5)",
        subjectId,
        declarationNo,
        sourceId,
        JSON.stringify(declaration),
        now,
      );
      await connection.run(
        `INSERT INTO source (subject_id, source_id, connector_key, declaration_no) VALUES ($1, $2, $3, $4)
         ON CONFLICT (subject_id, source_id) DO UPDATE SET declaration_no = excluded.declaration_no`,
        subjectId,
        sourceId,
        connectorKey,
        declarationNo,
      );
      bumpEpoch();
    },
    async deleteConnection(connectionId) {
      const { numbers, live } = await streamsOf(connectionId);
      const used = await connection.rows(
        "SELECT DISTINCT blob_id FROM blob_use WHERE subject_id = $1 AND stream_no = ANY ($2::bigint[])",
        subject,
        numbers,
      );
      for (const table of ["record", "trail", "blob_use"])
        await connection.run(
          `DELETE FROM ${table} WHERE subject_id = $1 AND stream_no = ANY ($2::bigint[])`,
          subject,
          numbers,
        );
      for (const table of ["stream", "state", "connection"])
        await connection.run(
          `DELETE FROM ${table} WHERE subject_id = $1 AND connection_id = $2`,
          subject,
          connectionId,
        );
      bumpEpoch();
      return { live, blobs: used.map(([blobId]) => blobId as string) };
    },
    async openStream(connectionId, name) {
      const found = await connection.row(
        "SELECT stream_no FROM stream WHERE subject_id = $1 AND connection_id = $2 AND name = $3",
        subject,
        connectionId,
        name,
      );
      if (found !== undefined) return found[0] as number;
      // The number of a deleted stream is never reused: projections may still have it.
      const [streamNo] = (await connection.row(
        "UPDATE home SET streams = streams + 1 WHERE subject_id = $1 RETURNING streams",
        subject,
      ))! as [number];
      await connection.run(
        "INSERT INTO stream (subject_id, stream_no, connection_id, name) VALUES ($1, $2, $3, $4)",
        subject,
        streamNo,
        connectionId,
        name,
      );
      bumpEpoch();
      return streamNo;
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
  };
}
