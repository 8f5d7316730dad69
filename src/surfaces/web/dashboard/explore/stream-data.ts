// What the page of a stream is made of: its JSON twin, and what every part of the page is drawn from.
import type { JsonObject } from "../../../../contract/record.ts";
import type { StreamMetadata } from "../../../../contract/schema-document.ts";
import type { Snippet } from "../../snippets.ts";
import type { StreamPlace } from "./addresses.ts";
import type { StreamCharts } from "./stream-charts.ts";
import type { FieldKind } from "./stream-fields.ts";
import type { FilterField } from "./stream-filters.ts";
import type { StreamPageState } from "./stream-state.ts";
import type { Timeline } from "./timeline.ts";

export interface StreamView {
  source: string;
  connection: { id: string; label: string };
  stream: { name: string; label: string; description?: string };
  /** Its texts can be searched. */
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
  views: StreamMetadata["views"];
  /** The field of its own order, newest first. */
  orderedBy?: string;
  count: number;
  rows: readonly { id: string; href: string; data: JsonObject }[];
  /** The cursor of the next page. */
  next?: string;
  filters: readonly FilterField[];
  timeline?: Timeline & { field: string };
  charts?: StreamCharts;
  exports: { csv: string; jsonl: string };
  snippets: readonly Snippet[];
}

export const placeOf = ({ connection, stream }: StreamView): StreamPlace => ({
  connection_id: connection.id,
  stream: stream.name,
});
