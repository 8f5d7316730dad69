// The catalog: every stream of an owner with its analysed declaration, cached until the store's epoch changes.
import type { JsonSchema, SourceDeclaration, StreamDeclaration } from "../contract/declaration.ts";
import { fieldsOf, listColumnsOf } from "../core/fields.ts";
import type { StreamShape } from "../core/scope.ts";
import type { ConnectionRow, SourceRow } from "../store/rows.ts";
import type { ReadView } from "../store/store.ts";

export interface CatalogConnection extends ConnectionRow {
  connectorKey: string;
  source: SourceDeclaration["source"];
}

export interface Catalog {
  epoch: number;
  sources: readonly SourceRow[];
  connections: readonly CatalogConnection[];
  streams: readonly StreamShape[];
  byNo: ReadonlyMap<number, StreamShape>;
}

export async function loadCatalog(view: ReadView, subjectId: string, epoch: number): Promise<Catalog> {
  const sources = await view.sources(subjectId);
  const bySource = new Map(sources.map((source) => [source.sourceId, source]));
  const connections = (await view.connections(subjectId)).map((connection): CatalogConnection => {
    const { connectorKey, declaration } = bySource.get(connection.sourceId)!;
    return { ...connection, connectorKey, source: declaration.source };
  });
  const numbers = new Map(
    (await view.streams(subjectId)).map((row) => [`${row.connectionId}\n${row.name}`, row.streamNo]),
  );
  const digested = new Map<StreamDeclaration, Pick<StreamShape, "fields" | "lists" | "blobFields">>();
  const streams: StreamShape[] = [];
  for (const connection of connections) {
    const { declaration } = bySource.get(connection.sourceId)!;
    for (const stream of declaration.streams) {
      const streamNo = numbers.get(`${connection.connectionId}\n${stream.name}`);
      if (streamNo === undefined) continue;
      if (!digested.has(stream)) {
        const [fields, lists] = [fieldsOf(stream), listColumnsOf(stream)];
        digested.set(stream, { fields, lists, blobFields: blobFieldsOf(stream) });
      }
      streams.push({
        streamNo,
        name: stream.name,
        connectionId: connection.connectionId,
        connectorKey: connection.connectorKey,
        displayName: connection.displayName,
        source: declaration.source,
        sourceName: declaration.display.name,
        declaration: stream,
        ...digested.get(stream)!,
      });
    }
  }
  return { epoch, sources, connections, streams, byNo: new Map(streams.map((stream) => [stream.streamNo, stream])) };
}

/** Fields whose schema contains a blob_id at any depth. */
function blobFieldsOf(stream: StreamDeclaration): Set<string> {
  const properties = Object.entries(stream.schema.properties ?? {});
  const mentions = (schema: JsonSchema) => {
    const text = JSON.stringify(schema);
    return (
      text.includes('"blob_id"') ||
      (text.includes('"$ref"') && JSON.stringify(stream.schema.$defs ?? {}).includes('"blob_id"'))
    );
  };
  return new Set(properties.filter(([, schema]) => mentions(schema)).map(([name]) => name));
}
