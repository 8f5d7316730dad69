// /dashboard/records/…: one record as its owner sees it; where an agent's citation leads.
import type { FieldWindow } from "../../../contract/answers.ts";
import { formatHandle } from "../../../contract/handle.ts";
import type { RecordRead } from "../../../contract/record.ts";
import type { StreamMetadata } from "../../../contract/schema-document.ts";
import { nameIn, unnamedRecordTitle } from "../../../core/title.ts";
import { ownerPage } from "../owner-page.ts";
import { command, curl, tool } from "../snippets.ts";
import { type RecordField, type RecordView, showRecord } from "./record-view.ts";

/** Longer texts are shown in windows; `?field=&offset=` moves one. */
const SHOWN_MAX = 4000;

export const recordPage = ownerPage<RecordView>({
  path: "/dashboard/records/{connection_id}/{stream}/{id}",
  under: "explore",
  async load({ params, search, exchange, origin, look }) {
    const place = { connection_id: params.connection_id!, stream: params.stream!, id: params.id! };
    const found = await look<RecordRead>("record", place);
    const metadata = await look<StreamMetadata>("stream", { connection_id: place.connection_id, stream: place.stream });
    const { pathname } = exchange.url;
    const moved = search.get("field");
    const properties = (metadata.schema as { properties?: Record<string, { title?: string; format?: string }> })
      .properties;
    const fields = await Promise.all(
      Object.entries(found.data).map(async ([name, value]): Promise<RecordField> => {
        const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
        const kind = typeof value !== "string" ? "json" : properties?.[name]?.format === "date-time" ? "time" : "text";
        const label = properties?.[name]?.title;
        const base = { name, ...(label === undefined ? {} : { label }), kind } as const;
        if (text.length <= SHOWN_MAX) return { ...base, value: text };
        const offset = moved === name ? Math.max(0, Number(search.get("offset")) || 0) : 0;
        const { window } = await look<FieldWindow>("window", {
          ...place,
          field: name,
          offset_chars: offset,
          limit_chars: SHOWN_MAX,
        });
        const next = window.next_offset_chars ?? 0;
        const more = new URLSearchParams({ field: name, offset: String(next) });
        return {
          ...base,
          value: window.text,
          more: {
            shown: window.end_chars - window.start_chars,
            total: window.total_chars,
            href: `${pathname}?${more}`,
          },
        };
      }),
    );
    const time = metadata.consent_time_field ?? metadata.cursor_field;
    const at = time === undefined ? undefined : found.data[time];
    const handle = formatHandle({ kind: "record", ...place });
    const [connection, stream, id] = [place.connection_id, place.stream, place.id].map(encodeURIComponent);
    return {
      title: nameIn(found.data) ?? unnamedRecordTitle(found, metadata),
      source: found.connector_key,
      connection: { id: found.connection_id, label: found.display_name ?? found.connection_id },
      stream: { name: found.stream, label: metadata.label ?? found.stream },
      recordId: found.id,
      ...(typeof at === "string" ? { at } : {}),
      fields,
      provenance: [
        { label: "Emitted", value: found.emitted_at },
        ...Object.entries(found.provenance ?? {}).map(([label, value]) => ({ label, value: String(value) })),
      ],
      snippets: [
        curl(origin, `/v1/streams/${stream}/records/${id}?connection_id=${connection}`),
        command("fetch", handle),
        tool("fetch", { id: handle }),
      ],
    };
  },
  show: showRecord,
});
