// /dashboard/records/…: one record as its owner sees it; where an agent's citation leads.
import type { FieldWindow } from "../../contract/answers.ts";
import type { RecordRead } from "../../contract/record.ts";
import type { StreamMetadata } from "../../contract/schema-document.ts";
import { quote } from "../../core/shell-quote.ts";
import type { EngineHost } from "../../engine/host.ts";
import type { Exchange } from "../http/respond.ts";
import { page } from "./page-response.ts";
import { ownerRecordPage, type RecordField } from "./pages/record.ts";
import type { SignedIn, Visitor } from "./visitor.ts";

export interface RecordPlace {
  connection_id: string;
  stream: string;
  id: string;
}

/** Longer texts are shown in windows; `?field=&offset=` moves one. */
const SHOWN_MAX = 4000;

export async function record(
  exchange: Exchange,
  host: EngineHost,
  visitor: Visitor,
  owner: SignedIn,
  place: RecordPlace,
): Promise<Response> {
  const ask = async <T>(method: "record" | "stream" | "window", query: object): Promise<T> =>
    JSON.parse(await host.call(method, query as never, owner.credential, exchange.requestId)) as T;
  const found = await ask<RecordRead>("record", place);
  const metadata = await ask<StreamMetadata>("stream", { connection_id: place.connection_id, stream: place.stream });
  const { searchParams, pathname } = exchange.url;
  const moved = searchParams.get("field");
  const properties = (metadata.schema as { properties?: Record<string, { title?: string; format?: string }> })
    .properties;
  const fields = await Promise.all(
    Object.entries(found.data).map(async ([name, value]): Promise<RecordField> => {
      const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
      const kind = typeof value !== "string" ? "json" : properties?.[name]?.format === "date-time" ? "time" : "text";
      const label = properties?.[name]?.title;
      const base = { name, ...(label === undefined ? {} : { label }), kind } as const;
      if (text.length <= SHOWN_MAX) return { ...base, value: text };
      const offset = moved === name ? Math.max(0, Number(searchParams.get("offset")) || 0) : 0;
      const { window } = await ask<FieldWindow>("window", {
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
        more: { shown: window.end_chars - window.start_chars, total: window.total_chars, href: `${pathname}?${more}` },
      };
    }),
  );
  const time = metadata.consent_time_field ?? metadata.cursor_field;
  const at = time === undefined ? undefined : found.data[time];
  const { origin } = exchange;
  const handle = [place.connection_id, place.stream, place.id].map(encodeURIComponent);
  const read = `/v1/streams/${handle[1]}/records/${handle[2]}?connection_id=${handle[0]}`;
  return page(
    exchange,
    ownerRecordPage({
      title: titleOf(found, metadata),
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
        { label: "curl", text: `curl -H "Authorization: Bearer TOKEN" ${quote(`${origin}${read}`)}` },
        { label: "Command line", text: `pdpp fetch ${quote(`${handle[0]}/${handle[1]}:${handle[2]}`)}` },
        { label: "MCP", text: `fetch({"id": ${JSON.stringify(`${handle[0]}/${handle[1]}:${handle[2]}`)}})` },
      ],
      owner: { name: owner.name, signOut: { action: "/logout", csrf: visitor.csrf } },
      nav: [{ label: "Apps", href: "/dashboard/apps" }],
    }),
    200,
    visitor.cookies,
  );
}

/** A field that names it, else its id. */
function titleOf({ data, id }: RecordRead, metadata: StreamMetadata): string {
  const naming = ["title", "subject", "name", "display_name", "summary", "label", "filename"].find(
    (name) => typeof data[name] === "string" && data[name] !== "",
  );
  return naming === undefined ? `${metadata.label ?? metadata.name} ${id}` : (data[naming] as string);
}
