// Streams of real sources as in the catalogue, for tests of grant sentences and plans.
import type { SourceDeclaration } from "../contract/declaration.ts";
import { fieldsOf, listColumnsOf } from "./fields.ts";
import type { StreamShape } from "./scope.ts";

export const shapesOf = (
  { source, display, streams }: Pick<SourceDeclaration, "source" | "display" | "streams">,
  connectionId: string,
  displayName: string,
): StreamShape[] =>
  streams.map((declaration, streamNo) => ({
    streamNo,
    name: declaration.name,
    connectionId,
    connectorKey: source.id,
    displayName,
    source,
    sourceName: display.name,
    declaration,
    fields: fieldsOf(declaration),
    lists: listColumnsOf(declaration),
    blobFields: new Set(),
  }));
