// /dashboard/explore/{connection}/{stream}: a stream in the view of its kind, as a table or as charts, depending on the
// address.
import type { RecordList } from "../../../../contract/answers.ts";
import { PdppError } from "../../../../contract/errors.ts";
import type { RecordRead } from "../../../../contract/record.ts";
import type { StreamMetadata } from "../../../../contract/schema-document.ts";
import { timeFieldIn } from "../../../../core/title.ts";
import { itemOf } from "../../kinds/item.ts";
import { ownerPage, type Visit } from "../../owner-page.ts";
import type { Undoable } from "../../undo.ts";
import { withBalances } from "./account-balances.ts";
import { recordAddress, type StreamPlace, streamAddress } from "./addresses.ts";
import { describe } from "./describe.ts";
import { chartsOf } from "./stream-charts.ts";
import type { StreamListing, StreamView } from "./stream-data.ts";
import { exportAddress, snippetsOf } from "./stream-elsewhere.ts";
import { datedBy, fieldsOf } from "./stream-fields.ts";
import { filterFields } from "./stream-filters.ts";
import {
  conversationField,
  eventsIn,
  inboxOf,
  kindFields,
  ledgerOf,
  ownNames,
  spanOf,
  spendingOf,
} from "./stream-kind.ts";
import { durationMeasure, metricsOf } from "./stream-metrics.ts";
import { offeredShows, type StreamPageState, stateOf } from "./stream-state.ts";
import { showStream } from "./stream-view.ts";
import { type DatedStream, type Measure, type Timeline, timelineOf } from "./timeline.ts";

const page = {
  under: "explore",
  async load({ params, search, origin, zone, now, look }: Visit): Promise<StreamView> {
    const place = { connection_id: params.connection_id!, stream: params.stream! };
    const { metadata, source } = await describe({ look }, place);
    const { columns: remembered } = await look("chosenColumns", place);
    const state = stateOf(search, metadata, zone, remembered);
    const time = datedBy(timeFieldIn(metadata), metadata.field_capabilities[timeFieldIn(metadata) ?? ""]);
    const dated = time === undefined || !metadata.aggregations.count ? undefined : { ...place, ...time };
    const measure = (await spendingOf({ look }, { place, metadata, state })) ?? durationMeasure(metadata);
    const counted = dated === undefined || measure === undefined ? dated : { ...dated, measure };
    const [rows, filters, timeline] = await Promise.all([
      rowsOf({ look }, place, metadata, state),
      filterFields({ look }, place, metadata, state),
      counted === undefined ? undefined : timelineOf({ look }, counted, state.filter, zone),
    ]);
    const request = { place, metadata, state, zone, now };
    const listing = await listingOf({ look }, request, rows.found, dated, timeline);
    const charts = state.show === "charts" ? await chartsOf({ look }, request, dated, timeline) : undefined;
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
      ...(metadata.kind === undefined ? {} : { kind: metadata.kind }),
      shows: offeredShows(metadata.kind),
      ...(listing === undefined ? {} : { listing }),
      views: metadata.views,
      ...(metadata.cursor_field === undefined ? {} : { orderedBy: metadata.cursor_field }),
      count: rows.count,
      rows: rows.records,
      ...(rows.next === undefined ? {} : { next: rows.next }),
      filters,
      ...(dated === undefined || timeline === undefined
        ? {}
        : {
            timeline: {
              field: dated.field,
              ...(measure === undefined ? {} : { measure: withoutFilter(measure) }),
              ...timeline,
            },
          }),
      ...(charts === undefined ? {} : { charts }),
      exports: { csv: exportAddress(place, state, "csv"), jsonl: exportAddress(place, state, "jsonl") },
      snippets: snippetsOf(origin, place, state, dated, timeline?.step, zone),
    };
  },
  show: showStream,
  /** Stores the columns of the table and keeps the rest of the address. */
  async post({ params, look, act, exchange }: Visit, form: URLSearchParams): Promise<Undoable> {
    const place = { connection_id: params.connection_id!, stream: params.stream! };
    const columns = form.get("do") === "usual" ? [] : form.getAll("fields[]");
    const before = (await look("chosenColumns", place)).columns;
    await act("chooseColumns", { ...place, columns });
    const kept = [...exchange.url.searchParams].filter(([name]) => !/^(?:fields|show|cursor|undo)/.test(name));
    const undo = before.length === 0 ? [["do", "usual"] as const] : before.map((name) => ["fields[]", name] as const);
    return { location: streamAddress(place, [...kept, ["show", "table"]]), undo };
  },
};

export const streamPage = ownerPage<StreamView>({ path: "/dashboard/explore/{connection_id}/{stream}", ...page });
/** The page that citations of a stream link to. */
export const citedStreamPage = ownerPage<StreamView>({ path: "/dashboard/records/{connection_id}/{stream}", ...page });

const withoutFilter = ({ filter: _, ...measure }: Measure): Omit<Measure, "filter"> => measure;

/**
 * Builds the listing for the view of the stream's kind. Returns undefined for a stream without a kind, and if a table
 * or charts are shown instead.
 */
async function listingOf(
  { look }: Pick<Visit, "look">,
  request: Parameters<typeof spanOf>[0],
  found: readonly RecordRead[],
  dated: DatedStream | undefined,
  timeline: Timeline | undefined,
): Promise<StreamListing | undefined> {
  const { metadata, state } = request;
  const { kind } = metadata;
  if (kind === undefined || state.show === "table" || state.show === "charts") return undefined;
  const span = dated === undefined ? undefined : spanOf(request, timeline);
  const conversation = conversationField(metadata);
  const chosen = state.filter[conversation ?? ""];
  const [me, items, inbox, ledger, metrics] = await Promise.all([
    ownNames({ look }),
    span === undefined
      ? withBalances(
          { look },
          metadata,
          found.map((record) => itemOf(record, metadata)),
        )
      : eventsIn({ look }, request, dated!, span),
    conversation === undefined || chosen !== undefined ? undefined : inboxOf({ look }, request, conversation),
    (kind === "transaction" || kind === "order") && dated !== undefined && metadata.roles?.amount !== undefined
      ? ledgerOf({ look }, request, dated)
      : undefined,
    kind === "measurement" && dated !== undefined ? metricsOf({ look }, request, dated) : [],
  ]);
  return {
    kind,
    me,
    items: inbox === undefined ? items : [],
    ...(span === undefined ? {} : { calendar: span }),
    ...(ledger === undefined ? {} : { ledger }),
    ...(metrics.length === 0 ? {} : { metrics }),
    ...(inbox === undefined ? {} : { inbox }),
    ...(typeof chosen === "string" ? { conversation: chosen } : {}),
  };
}

/** Sorts people by name and everything else by time, regardless of the stream's own order. */
function listOrder(metadata: StreamMetadata): { sort?: string } {
  const { kind, roles = {}, cursor_field, field_capabilities } = metadata;
  const [title, time] = [roles.title?.[0], timeFieldIn(metadata)];
  if (kind === "person" && field_capabilities[title ?? ""]?.sort) return { sort: title };
  return time !== undefined && time !== cursor_field && field_capabilities[time]?.sort ? { sort: `-${time}` } : {};
}

interface StreamRows {
  records: StreamView["rows"];
  found: RecordRead[];
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
  const [isTable, isPaged] = [show === "table", show === "table" || show === "list"];
  const query = {
    ...place,
    ...(Object.keys(filter).length === 0 ? {} : { filter }),
    ...(isTable ? (sort === undefined ? {} : { sort }) : listOrder(metadata)),
    fields: isTable ? columns : isPaged ? kindFields(metadata) : metadata.primary_key,
    limit: isPaged ? limit : 1,
    count: "exact" as const,
  };
  const read = async (): Promise<{ page: RecordList; notes: string[] }> => {
    if (cursor === undefined || !isPaged) return { page: await look("records", query), notes: [] };
    try {
      return { page: await look("records", { ...query, cursor }), notes: [] };
    } catch (error) {
      if (!(error instanceof PdppError) || error.details.param !== "cursor") throw error;
      return {
        page: await look("records", query),
        notes: ["That page belonged to a different view, so this is the first page."],
      };
    }
  };
  const { page: answered, notes } = await read();
  const found = isPaged ? answered.data.filter((record) => "data" in record) : [];
  return {
    records: isTable ? found.map(({ id, data }) => ({ id, href: recordAddress({ ...place, id }), data })) : [],
    found: isTable ? [] : found,
    count: answered.meta.count?.value ?? 0,
    ...(answered.next_cursor === undefined || !isPaged ? {} : { next: answered.next_cursor }),
    notes,
  };
}
