// A record as a document. Its fields are text; long fields are cut and continued in windows.
import type { RecordHandle } from "../../contract/handle.ts";
import type { JsonObject, JsonValue } from "../../contract/record.ts";
import { recordTitle } from "../../core/title.ts";
import { plainLine, plainText } from "../../core/unsafe-characters.ts";
import { type BoundedRecord, type Bounds, boundRecord } from "./bounded-record.ts";
import { FETCHED_FIELD } from "./budgets.ts";
import { type Document, fitsBudget } from "./document.ts";
import { requireExpandable } from "./expand-gate.ts";
import { plainData, setIn } from "./plain.ts";
import { blobLine, blobsLeftOut, cutLine } from "./record-text.ts";
import { recordUrl } from "./record-url.ts";
import type { ToolContext } from "./tool.ts";

export interface DocumentProjection {
  fields?: string[];
  expand?: string[];
  expand_limit?: Record<string, number>;
}

const upTo = (chars: number) => ({ wholeChars: chars, shownChars: chars });

/**
 * Limits from generous to tight. The number of fields is reduced before their length, because a cut field costs its
 * text plus about 600 bytes for continuing.
 */
const BOUNDS: readonly Bounds[] = [
  { ...FETCHED_FIELD, fields: 500, related: 100, blobs: 20 },
  ...[4000, 2000, 1000, 500].map((chars) => ({ ...upTo(chars), fields: 500, related: 20, blobs: 10 })),
  { ...upTo(500), fields: 40, related: 10, blobs: 5 },
  { ...upTo(500), fields: 22, related: 10, blobs: 5 },
  { ...upTo(500), fields: 18, related: 10, blobs: 5 },
  { ...upTo(500), fields: 12, related: 10, blobs: 5 },
  { ...upTo(100), fields: 20, related: 5, blobs: 1 },
  { ...upTo(20), fields: 5, related: 1, blobs: 1 },
  { ...upTo(20), fields: 0, related: 0, blobs: 0 },
];

export async function recordDocument(
  { client, origin }: ToolContext,
  handle: RecordHandle,
  projection: DocumentProjection,
): Promise<Document> {
  const { stream, id, connection_id } = handle;
  await requireExpandable(client, { stream, connection_id, ...projection });
  // The stream says which field is the title. Both calls are made together, because the engine thread handles both at
  // once. The title itself comes only from the requested fields (E-21).
  const [record, metadata] = await Promise.all([
    client.record({ stream, id, connection_id, ...projection }),
    client.stream({ stream, connection_id }),
  ]);
  const title = plainLine(recordTitle(record, metadata), 120);
  const url = recordUrl(origin, record);
  let document: Document | undefined;
  for (const bounds of BOUNDS) {
    const bounded = boundRecord(record, bounds);
    document = { id: bounded.handle, title, text: recordBody(bounded), url, metadata: metadataOf(bounded) };
    if (fitsBudget(document)) return document;
  }
  return document!;
}

function metadataOf(record: BoundedRecord): Document["metadata"] {
  const { connection_id, connector_key, display_name, stream, id, emitted_at, ingested_at, provenance } = record;
  const { cut, blobs, blobs_left_out, fields_left_out, expanded } = record;
  return {
    connection_id,
    connector_key,
    ...(display_name === undefined ? {} : { display_name }),
    stream,
    record_id: id,
    emitted_at,
    ingested_at,
    ...(provenance === undefined ? {} : { provenance }),
    ...(cut === undefined ? {} : { cut }),
    ...(blobs === undefined ? {} : { blobs }),
    ...(blobs_left_out === undefined ? {} : { blobs_left_out }),
    ...(fields_left_out === undefined ? {} : { fields_left_out }),
    ...(expanded === undefined
      ? {}
      : {
          expanded: Object.fromEntries(
            Object.entries(expanded).map(([name, { data, has_more }]) => [
              name,
              { ids: data.map((related) => related.handle), has_more },
            ]),
          ),
        }),
  };
}

function recordBody(record: BoundedRecord): string {
  const lines = Object.entries(record.data ?? {}).map(([field, value]) => fieldText(field, value, record));
  lines.push(...blobsLeftOut(record));
  if (record.fields_left_out !== undefined)
    lines.push(`[${record.fields_left_out} more fields: fetch again with fields; schema(stream) lists them]`);
  for (const [relation, { data, has_more }] of Object.entries(record.expanded ?? {})) {
    lines.push(`${plainText(relation)}: ${data.length}${has_more ? " and more" : ""} related`);
    for (const related of data) lines.push(`- ${related.handle}`, setIn(relatedText(related)));
  }
  return lines.join("\n");
}

const relatedText = (record: BoundedRecord): string => recordBody({ ...record, expanded: undefined });

/** Multi-line text is indented below its name; everything else is JSON on one line. */
function fieldText(field: string, value: JsonValue | JsonObject, { cut = [], blobs = [] }: BoundedRecord): string {
  const name = plainText(field);
  const isBlock = typeof value === "string" && (value.includes("\n") || value.length > 100);
  const lines = [isBlock ? `${name}:\n${setIn(value)}` : `${name}: ${JSON.stringify(value)}`];
  for (const row of cut) if (row.field === field) lines.push(cutLine(row));
  for (const row of blobs) if (row.field === field) lines.push(blobLine(row));
  return plainData(lines).join("\n");
}
