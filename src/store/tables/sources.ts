// Sources with snapshots of their declarations, streams, and everything that is deleted with a connection.
import type { SourceDeclaration } from "../../contract/declaration.ts";
import type { SourceRow, StreamRow } from "../rows.ts";
import type { ReadView, WriteView } from "../store.ts";
import { rowShape } from "./row-shape.ts";
import { insert, list, remove, select, type TableReads, type TableWrites, update } from "./statements.ts";

const SOURCE = rowShape<Omit<SourceRow, "declaration">>("source", { without: ["subject_id", "declaration_no"] });
const STREAM = rowShape<StreamRow>("stream", { without: ["live", "changed_at"] });

const SOURCES = select("source", [...SOURCE.columns.map((column) => `source.${column}`), "body"], ["subject_id"], {
  order: "connector_key",
  joined: { table: "declaration", by: "declaration_no" },
});
const STREAMS = select("stream", STREAM.columns, ["subject_id"], {
  order: "stream_no",
  joined: { table: "connection", by: "connection_id" },
});

type SourceReads = Pick<ReadView, "sources" | "streams">;

export const sourceReads = (tables: TableReads): SourceReads => ({
  sources: (subjectId) =>
    list(tables.rows(SOURCES, subjectId), (cells) => ({
      ...SOURCE.read(cells),
      declaration: JSON.parse(cells.at(-1) as string) as SourceDeclaration,
    })),
  streams: (subjectId) => list(tables.rows(STREAMS, subjectId), STREAM.read),
});

const PUT_DECLARATION = insert("declaration", ["subject_id", "declaration_no", "source_id", "body", "registered_at"]);
const PUT_SOURCE = insert("source", ["subject_id", ...SOURCE.columns, "declaration_no"]);
const REPLACE_DECLARATION = update("source", ["declaration_no"], ["source_id"]);
const ONE_STREAM = select("stream", ["stream_no"], ["connection_id", "name"]);
const PUT_STREAM = insert("stream", [...STREAM.columns, "live"]);
const STREAMS_OF = select("stream", ["stream_no", "live"], ["connection_id"], { unchecked: true });
const BLOBS_OF = select("blob_use", ["DISTINCT blob_id"], ["stream_no"], { unchecked: true });
const DROP_ROWS = ["record", "trail", "blob_use"].map((table) => remove(table, ["stream_no"]));
const DROP_CONNECTION = ["stream", "state", "connection"].map((table) => remove(table, ["connection_id"]));

type SourceWrites = Pick<WriteView, "putSource" | "deleteConnection" | "openStream">;

export const sourceWrites = (tables: TableReads & TableWrites, bumpEpoch: () => void): SourceWrites => ({
  async putSource(subjectId, connectorKey, declaration, now) {
    const sourceId = declaration.source.id;
    const number = await tables.next("declaration");
    const source = { sourceId, connectorKey, createdAt: now };
    await tables.run(PUT_DECLARATION, subjectId, number, sourceId, JSON.stringify(declaration), now);
    const replaced = await tables.run(REPLACE_DECLARATION, number, sourceId);
    if (replaced === 0) await tables.run(PUT_SOURCE, subjectId, ...SOURCE.cells(source), number);
    bumpEpoch();
  },
  async openStream(connectionId, name) {
    const found = await tables.row(ONE_STREAM, connectionId, name);
    if (found !== undefined) return found[0] as number;
    const streamNo = await tables.next("stream");
    await tables.run(PUT_STREAM, ...STREAM.cells({ streamNo, connectionId, name }), 0);
    bumpEpoch();
    return streamNo;
  },
  async deleteConnection(connectionId) {
    let live = 0;
    const used = new Set<string>();
    for (const [streamNo, count] of (await tables.rows(STREAMS_OF, connectionId)) as [number, number][]) {
      live += count;
      for (const [blobId] of await tables.rows(BLOBS_OF, streamNo)) used.add(blobId as string);
      for (const statement of DROP_ROWS) await tables.run(statement, streamNo);
    }
    for (const statement of DROP_CONNECTION) await tables.run(statement, connectionId);
    bumpEpoch();
    return { live, blobs: [...used] };
  },
});
