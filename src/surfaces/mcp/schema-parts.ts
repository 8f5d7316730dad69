// Splits a stream whose description would not fit into one result into parts, each with some fields or connections.

import type { StreamMetadata } from "../../contract/schema-document.ts";
import { counted } from "../../core/counted.ts";

/** The maximum number of field name characters in one part. Every name appears in about six lists. */
const NAMES_MAX = 1_000;
const CONNECTIONS_MAX = 100;
/** The maximum number of characters for all views. If they are longer, only their size is given. */
const VIEWS_MAX = 1_000;

export interface StreamPart extends StreamMetadata {
  /** `2 of 3`; absent if there is only one part. */
  part?: string;
}

export function partsOf(stream: StreamMetadata): StreamPart[] {
  const fields = chunked(Object.entries(stream.field_capabilities), NAMES_MAX, ([name]) => name.length + 20);
  const connections = chunked(stream.granted_connections, CONNECTIONS_MAX, () => 1);
  if (fields.length <= 1 && connections.length <= 1) return [{ ...stream, views: viewsOf(stream) }];
  const parts = connections.flatMap((granted_connections) =>
    fields.map((members, index) => ({
      ...stream,
      granted_connections,
      field_capabilities: Object.fromEntries(members),
      // Facts about the whole stream are given once.
      ...(index === 0 ? { views: viewsOf(stream) } : { views: [], expand_capabilities: [] }),
    })),
  );
  return parts.map((part, index) => ({ ...part, part: `${index + 1} of ${parts.length}` }));
}

function viewsOf({ views, field_capabilities }: StreamMetadata): StreamMetadata["views"] {
  const all = Object.keys(field_capabilities).length;
  // A view of all fields is the same as no view, so it is omitted.
  const short = views.filter((view) => view.fields.length < all);
  const fits = JSON.stringify(short).length <= VIEWS_MAX;
  return fits ? short : short.map((view) => ({ ...view, fields: [`(${counted(view.fields.length, "field")})`] }));
}

function chunked<T>(items: readonly T[], most: number, weight: (item: T) => number): T[][] {
  const chunks: T[][] = [];
  let room = 0;
  for (const item of items) {
    room -= weight(item);
    if (room < 0 || chunks.length === 0) {
      chunks.push([]);
      room = most - weight(item);
    }
    chunks.at(-1)!.push(item);
  }
  return chunks;
}
