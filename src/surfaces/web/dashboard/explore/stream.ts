// /dashboard/explore/{connection}/{stream}: a stream as a table or as charts. The address says which part of it, and how.
import type { RecordList } from "../../../../contract/answers.ts";
import { PdppError } from "../../../../contract/errors.ts";
import type { StreamMetadata } from "../../../../contract/schema-document.ts";
import { timeFieldIn } from "../../../../core/title.ts";
import { ownerPage, type Visit } from "../../owner-page.ts";
import { recordAddress, type StreamPlace } from "./addresses.ts";
import { describe } from "./describe.ts";
import { chartsOf } from "./stream-charts.ts";
import type { StreamView } from "./stream-data.ts";
import { exportAddress, snippetsOf } from "./stream-elsewhere.ts";
import { datedBy, fieldsOf } from "./stream-fields.ts";
import { filterFields } from "./stream-filters.ts";
import { type StreamPageState, stateOf } from "./stream-state.ts";
import { showStream } from "./stream-view.ts";
import { timelineOf } from "./timeline.ts";

const page = {
  under: "explore",
  async load({ params, search, origin, zone, now, look }: Visit): Promise<StreamView> {
    const place = { connection_id: params.connection_id!, stream: params.stream! };
    const { metadata, source } = await describe({ look }, place);
    const state = stateOf(search, metadata, zone);
    const time = datedBy(timeFieldIn(metadata), metadata.field_capabilities[timeFieldIn(metadata) ?? ""]);
    const dated = time === undefined || !metadata.aggregations.count ? undefined : { ...place, ...time };
    const [rows, filters, timeline] = await Promise.all([
      rowsOf({ look }, place, metadata, state),
      filterFields({ look }, place, metadata, state),
      dated === undefined ? undefined : timelineOf({ look }, dated, state.filter, zone),
    ]);
    const charts =
      state.show === "charts"
        ? await chartsOf({ look }, { place, metadata, state, zone, now }, dated, timeline)
        : undefined;
    return {
      source,
      connection: {
        id: place.connection_id,
        label: metadata.granted_connections[0]?.display_name ?? place.connection_id,
      },
      stream: {
        name: place.stream,
        label: metadata.label ?? place.stream,
        ...(metadata.description === undefined ? {} : { description: metadata.description }),
      },
      searchable: Object.values(metadata.field_capabilities).some(({ lexical_search }) => lexical_search),
      state: { ...state, notes: [...state.notes, ...rows.notes] },
      fields: fieldsOf(metadata).map(({ name, label: words, kind, can, isMember }) => ({
        name,
        label: words,
        kind,
        sorts: can.sort,
        isMember,
        isList: can.items !== undefined,
      })),
      views: metadata.views,
      ...(metadata.cursor_field === undefined ? {} : { orderedBy: metadata.cursor_field }),
      count: rows.count,
      rows: rows.records,
      ...(rows.next === undefined ? {} : { next: rows.next }),
      filters,
      ...(dated === undefined || timeline === undefined ? {} : { timeline: { field: dated.field, ...timeline } }),
      ...(charts === undefined ? {} : { charts }),
      exports: { csv: exportAddress(place, state, "csv"), jsonl: exportAddress(place, state, "jsonl") },
      snippets: snippetsOf(origin, place, state, dated, timeline?.step, zone),
    };
  },
  show: showStream,
};

export const streamPage = ownerPage<StreamView>({ path: "/dashboard/explore/{connection_id}/{stream}", ...page });
/** Where the citation of a stream leads. */
export const citedStreamPage = ownerPage<StreamView>({ path: "/dashboard/records/{connection_id}/{stream}", ...page });

interface StreamRows {
  records: StreamView["rows"];
  count: number;
  next?: string;
  notes: string[];
}

async function rowsOf(
  { look }: Pick<Visit, "look">,
  place: StreamPlace,
  metadata: StreamMetadata,
  { show, filter, sort, columns, limit, cursor }: StreamPageState,
): Promise<StreamRows> {
  const table = show === "table";
  const query = {
    ...place,
    ...(Object.keys(filter).length === 0 ? {} : { filter }),
    ...(sort === undefined || !table ? {} : { sort }),
    fields: table ? columns : metadata.primary_key,
    limit: table ? limit : 1,
    count: "exact" as const,
  };
  const read = async (): Promise<{ page: RecordList; notes: string[] }> => {
    if (cursor === undefined || !table) return { page: await look("records", query), notes: [] };
    try {
      return { page: await look("records", { ...query, cursor }), notes: [] };
    } catch (error) {
      if (!(error instanceof PdppError) || error.details.param !== "cursor") throw error;
      return {
        page: await look("records", query),
        notes: ["That page belongs to another view; this is the first page."],
      };
    }
  };
  const { page: found, notes } = await read();
  return {
    records: table
      ? found.data.flatMap((record) =>
          "data" in record
            ? [{ id: record.id, href: recordAddress({ ...place, id: record.id }), data: record.data }]
            : [],
        )
      : [],
    count: found.meta.count?.value ?? 0,
    ...(found.next_cursor === undefined || !table ? {} : { next: found.next_cursor }),
    notes,
  };
}
