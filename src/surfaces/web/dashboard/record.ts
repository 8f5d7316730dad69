// /dashboard/records/…: one record as its owner sees it. Agents' citations link here.

import { formatHandle } from "../../../contract/handle.ts";
import { ID_PREFIX } from "../../../contract/ids.ts";
import type { RecordRead } from "../../../contract/record.ts";
import type { StreamMetadata } from "../../../contract/schema-document.ts";
import { leadingField } from "../../../core/default-columns.ts";
import { recordTitle } from "../../../core/title.ts";
import { cutWindow } from "../../../core/window.ts";
import { itemOf } from "../kinds/item.ts";
import { placeOnMap } from "../map/small-map.ts";
import { ownerPage, type Visit } from "../owner-page.ts";
import { command, curl, tool } from "../snippets.ts";
import { withBalances } from "./explore/account-balances.ts";
import { pair, recordAddress } from "./explore/addresses.ts";
import { describe } from "./explore/describe.ts";
import { fieldsOf } from "./explore/stream-fields.ts";
import { ownNames } from "./explore/stream-kind.ts";
import { importAddress } from "./import-address.ts";
import { recordsAround } from "./record-around.ts";
import { type RecordField, recordFields } from "./record-fields.ts";
import { recordFiles } from "./record-files.ts";
import { peopleOf } from "./record-people.ts";
import { neighbours, related, relationsOf, timeOf } from "./record-related.ts";
import { type KindPage, type RecordView, showRecord } from "./record-view.ts";
import { wholeNumber } from "./words.ts";

export const recordPage = ownerPage<RecordView>({
  path: "/dashboard/records/{connection_id}/{stream}/{id}",
  under: "explore",
  async load({ params, search, origin, look }) {
    const place = { connection_id: params.connection_id!, stream: params.stream!, id: params.id! };
    const { metadata, source } = await describe({ look }, { connection_id: place.connection_id, stream: place.stream });
    const expand = relationsOf(metadata);
    const found = await look("record", { ...place, ...(expand.length === 0 ? {} : { expand }) });
    const [relations, beside, me, around, people] = await Promise.all([
      related({ look }, found, metadata),
      neighbours({ look }, found, metadata),
      ownNames({ look }),
      recordsAround({ look }, found, metadata),
      peopleOf({ look }, found, metadata),
    ]);
    const fields = fieldsOf(metadata);
    const moved = { field: search.get("field"), offset: wholeNumber(search.get("offset")) ?? 0 };
    const handle = formatHandle({ kind: "record", ...place });
    const [connection, stream, id] = [place.connection_id, place.stream, place.id].map(encodeURIComponent);
    const map = metadata.kind === undefined ? undefined : placeOnMap(itemOf(found, metadata));
    return {
      title: recordTitle(found, metadata),
      source,
      connection: { id: found.connection_id, label: found.display_name ?? found.connection_id },
      stream: { name: found.stream, label: metadata.label ?? found.stream },
      recordId: found.id,
      ...timeOf(found, metadata),
      fields: idsLast(recordFields(found.data, fields, place, moved), metadata),
      files: recordFiles(found.connection_id, found.data, fields),
      ...(metadata.kind === undefined ? {} : { kindView: await kindViewOf({ look }, found, metadata, around, me) }),
      people: people.filter(({ texts }) => !texts.some((text) => me.includes(text.toLowerCase()))),
      ...(map === undefined ? {} : { map }),
      movedTo: moved.field ?? undefined,
      related: relations,
      ...beside,
      emittedAt: found.emitted_at,
      ingestedAt: found.ingested_at,
      provenance: provenanceOf(found),
      snippets: [
        curl(origin, `/v1/streams/${stream}/records/${id}?connection_id=${connection}`),
        command("fetch", handle, "--server", origin),
        tool("fetch", { id: handle }),
      ],
    };
  },
  show: showRecord,
});

/** The maximum number of text characters on the page. The fields below contain all of it, in windows. */
const TEXT_MAX = 30_000;

async function kindViewOf(
  { look }: Pick<Visit, "look">,
  found: RecordRead,
  metadata: StreamMetadata,
  around: readonly RecordRead[],
  me: readonly string[],
): Promise<KindPage> {
  const field = metadata.roles?.text?.[0];
  const text = found.data[field ?? ""];
  const isLong = field !== undefined && typeof text === "string" && text.length > TEXT_MAX;
  const shortened = (record: RecordRead): RecordRead => {
    const own = record.data[field ?? ""];
    if (field === undefined || typeof own !== "string" || own.length <= TEXT_MAX) return record;
    return { ...record, data: { ...record.data, [field]: cutWindow(own, { limit: TEXT_MAX }).text } };
  };
  const item = (await withBalances({ look }, metadata, [itemOf(shortened(found), metadata)]))[0]!;
  const offset = isLong ? cutWindow(text, { limit: TEXT_MAX }).end_chars : 0;
  return {
    item,
    around: around.map((record) => (record.id === found.id ? item : itemOf(shortened(record), metadata))),
    me,
    readOn: isLong
      ? {
          text: `${recordAddress(item, [pair("field", field), pair("offset", String(offset))])}#field-${encodeURIComponent(field)}`,
        }
      : {},
  };
}

/** Fields for people come before ids for programs. */
function idsLast(fields: readonly RecordField[], metadata: StreamMetadata): RecordField[] {
  const leading = leadingField(metadata);
  const isId = ({ name }: RecordField): boolean =>
    name !== leading && (metadata.primary_key.includes(name) || /_ids?$/.test(name));
  return [...fields.filter((field) => !isId(field)), ...fields.filter(isId)];
}

const PROVENANCE = {
  file: "File",
  entry: "Part",
  offset: "Byte offset",
  digest: "Digest",
  run_id: "Imported by",
} as const;

function provenanceOf({ provenance = {} }: RecordRead): RecordView["provenance"] {
  return Object.entries(PROVENANCE).flatMap(([name, label]) => {
    const value = provenance[name as keyof typeof PROVENANCE];
    if (value === undefined) return [];
    const imported = name === "run_id" && String(value).startsWith(ID_PREFIX.job);
    return [{ label, value: String(value), ...(imported ? { href: importAddress(String(value)) } : {}) }];
  });
}
