// The data of a stream's page. It is the page's JSON form, and every part of the page is made from it.
import type { Kind } from "../../../../contract/kinds.ts";
import type { JsonObject } from "../../../../contract/record.ts";
import type { StreamMetadata } from "../../../../contract/schema-document.ts";
import type { CalendarSpan } from "../../kinds/calendar.ts";
import type { KindItem } from "../../kinds/item.ts";
import type { LedgerSums } from "../../kinds/ledger.ts";
import type { Snippet } from "../../snippets.ts";
import type { StreamPlace } from "./addresses.ts";
import type { StreamCharts } from "./stream-charts.ts";
import type { FieldKind } from "./stream-fields.ts";
import type { FilterField } from "./stream-filters.ts";
import type { InboxEntry } from "./stream-kind.ts";
import type { MetricChart } from "./stream-metrics.ts";
import type { StreamPageState, StreamShow } from "./stream-state.ts";
import type { Measure, Timeline } from "./timeline.ts";

export interface StreamView {
  source: string;
  connection: { id: string; label: string };
  stream: { name: string; label: string; description?: string };
  /** True if the stream's texts can be searched. */
  searchable: boolean;
  state: StreamPageState;
  fields: readonly {
    name: string;
    label: string;
    kind: FieldKind;
    sorts: boolean;
    isMember: boolean;
    isList: boolean;
  }[];
  kind?: Kind;
  /** The available ways to show the stream, default first. */
  shows: readonly StreamShow[];
  /** The stream's records in the view of their kind. */
  listing?: StreamListing;
  views: StreamMetadata["views"];
  /** The field of the stream's own order, newest first. */
  orderedBy?: string;
  count: number;
  rows: readonly { id: string; href: string; data: JsonObject }[];
  /** The cursor for the next page. */
  next?: string;
  filters: readonly FilterField[];
  /** `measure` is the sum that is drawn instead of the number of records. */
  timeline?: Timeline & { field: string; measure?: Omit<Measure, "filter"> };
  charts?: StreamCharts;
  exports: { csv: string; jsonl: string };
  snippets: readonly Snippet[];
}

export interface StreamListing {
  kind: Kind;
  items: readonly KindItem[];
  /** The owner's identifiers. */
  me: readonly string[];
  calendar?: CalendarSpan;
  ledger?: LedgerSums;
  /** Set for measurements: each metric over time. */
  metrics?: readonly MetricChart[];
  /** All conversations. Set before one is chosen. */
  inbox?: readonly InboxEntry[];
  /** The conversation that was chosen. */
  conversation?: string;
}

export const placeOf = ({ connection, stream }: StreamView): StreamPlace => ({
  connection_id: connection.id,
  stream: stream.name,
});
