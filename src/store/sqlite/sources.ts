// Subjects, sources with declaration snapshots, streams, and everything that is deleted with a connection.
import type { DatabaseSync } from "node:sqlite";
import type { SourceDeclaration } from "../../contract/declaration.ts";
import type { SourceRow, StreamRow } from "../rows.ts";
import type { ReadView, WriteView } from "../store.ts";
import { prepareArrays } from "./database.ts";
import { insertInto, metaValue, required, sound, sumOf } from "./row-sums.ts";

type SourceReads = Pick<ReadView, "epoch" | "subject" | "sources" | "streams" | "ownBlobs">;

export function sourceReads(database: DatabaseSync): SourceReads {
  const epoch = prepareArrays(database, "SELECT value, sum FROM meta WHERE key = 'epoch'");
  const subject = database.prepare(`SELECT subject_id FROM subject WHERE ${sound("subject")} ORDER BY rowid LIMIT 1`);
  const sources = database.prepare(
    `SELECT source.source_id, connector_key, body, registered_at FROM source JOIN declaration USING (declaration_no)
     WHERE source.subject_id = ? AND ${sound("source")} AND ${sound("declaration")} ORDER BY connector_key`,
  );
  const streams = database.prepare(
    `SELECT stream_no, connection_id, name FROM stream JOIN connection USING (connection_id)
     WHERE subject_id = ? AND ${sound("stream")} AND ${sound("connection")}`,
  );
  const own = database.prepare(
    `SELECT count(*) AS blobs, coalesce(sum(size_bytes), 0) AS bytes FROM blob WHERE ${sound("blob")} AND blob_id IN (
       SELECT blob_id FROM blob_use JOIN stream USING (stream_no) WHERE ${sound("blob_use")} AND ${sound("stream")} GROUP BY blob_id
       HAVING min(connection_id) = ?1 AND max(connection_id) = ?1)`,
  );
  return {
    epoch: () => metaValue(epoch.get(), "epoch") as number,
    subject: () => required(subject.get(), "its owner").subject_id as string,
    sources: (subjectId) =>
      sources.all(subjectId).map(
        (row): SourceRow => ({
          sourceId: row.source_id as string,
          connectorKey: row.connector_key as string,
          declaration: JSON.parse(row.body as string) as SourceDeclaration,
          registeredAt: row.registered_at as number,
        }),
      ),
    streams: (subjectId) =>
      streams.all(subjectId).map(
        (row): StreamRow => ({
          streamNo: row.stream_no as number,
          connectionId: row.connection_id as string,
          name: row.name as string,
        }),
      ),
    ownBlobs(connectionId) {
      const row = own.get(connectionId)!;
      return { count: row.blobs as number, bytes: row.bytes as number };
    },
  };
}

type SourceWrites = Pick<WriteView, "putSource" | "deleteConnection" | "openStream" | "dropUnusedBlobs">;

export function sourceWrites(database: DatabaseSync, bumpEpoch: () => void): SourceWrites {
  const putDeclaration = database.prepare(
    "INSERT INTO declaration (subject_id, source_id, body, registered_at) VALUES (?, ?, ?, ?) RETURNING declaration_no",
  );
  const sumDeclaration = database.prepare(
    `UPDATE declaration SET sum = ${sumOf("declaration")} WHERE declaration_no = ?`,
  );
  const putSource = database.prepare(
    `INSERT ${insertInto("source")}
     ON CONFLICT (subject_id, source_id) DO UPDATE SET declaration_no = excluded.declaration_no,
       sum = ${sumOf("source", { declaration_no: "excluded.declaration_no" })} WHERE ${sound("source")}`,
  );
  const streamsOf = database.prepare("SELECT stream_no, live FROM stream WHERE connection_id = ?");
  const findStream = database.prepare(
    `SELECT stream_no FROM stream WHERE connection_id = ? AND name = ? AND ${sound("stream")}`,
  );
  const addStream = database.prepare("INSERT INTO stream (connection_id, name) VALUES (?, ?) RETURNING stream_no");
  const sumStream = database.prepare(`UPDATE stream SET sum = ${sumOf("stream")} WHERE stream_no = ?`);
  const blobsOf = database.prepare("SELECT DISTINCT blob_id FROM blob_use WHERE stream_no = ?");
  const dropRows = ["record", "trail", "blob_use"].map((table) =>
    database.prepare(`DELETE FROM ${table} WHERE stream_no = ?`),
  );
  const dropConnection = ["stream", "state", "connection"].map((table) =>
    database.prepare(`DELETE FROM ${table} WHERE connection_id = ?`),
  );
  const dropUnused = database.prepare(
    "DELETE FROM blob WHERE blob_id = ?1 AND NOT EXISTS (SELECT 1 FROM blob_use WHERE blob_id = ?1) RETURNING generation",
  );
  return {
    putSource(subjectId, connectorKey, declaration, now) {
      const sourceId = declaration.source.id;
      const row = putDeclaration.get(subjectId, sourceId, JSON.stringify(declaration), now)!;
      sumDeclaration.run(row.declaration_no as number);
      putSource.run(subjectId, sourceId, connectorKey, row.declaration_no as number);
      bumpEpoch();
    },
    deleteConnection(connectionId) {
      let live = 0;
      const used = new Set<string>();
      for (const row of streamsOf.all(connectionId)) {
        live += row.live as number;
        for (const { blob_id } of blobsOf.all(row.stream_no as number)) used.add(blob_id as string);
        for (const statement of dropRows) statement.run(row.stream_no as number);
      }
      for (const statement of dropConnection) statement.run(connectionId);
      bumpEpoch();
      return { live, blobs: [...used] };
    },
    openStream(connectionId, name) {
      const found = findStream.get(connectionId, name);
      if (found) return found.stream_no as number;
      bumpEpoch();
      const streamNo = addStream.get(connectionId, name)!.stream_no as number;
      sumStream.run(streamNo);
      return streamNo;
    },
    dropUnusedBlobs: (blobIds) =>
      [...new Set(blobIds)].flatMap((blobId) => {
        const row = dropUnused.get(blobId);
        return row === undefined ? [] : [{ blobId, generation: row.generation as string | null }];
      }),
  };
}
