// Engine calls that read: the schema, records, windows of long text, aggregations and search.
import { mapExtentQuery, mapQuery } from "../../contract/map.ts";
import * as queries from "../../contract/read.ts";
import { timelineCountsQuery, timelineQuery } from "../../contract/timeline.ts";
import { ALL_CONNECTIONS, ALL_STREAMS, isAllStreams } from "../../core/scope.ts";
import { readAggregation } from "../read/all-aggregate.ts";
import { readAllChanges } from "../read/all-changes.ts";
import { readAllRecords } from "../read/all-connections.ts";
import { readMap, readMapExtent } from "../read/map.ts";
import { readRecord } from "../read/record.ts";
import { readRecords } from "../read/records.ts";
import { readSchema, readStream, readStreams } from "../read/schema.ts";
import { readSearch } from "../read/search.ts";
import { readTimeline, readTimelineCounts } from "../read/timeline.ts";
import { readWindow } from "../read/window.ts";
import { ownerRead, read } from "./define.ts";

export const RECORD_CALLS = {
  schema: read({
    query: queries.schemaQuery,
    answer: "SchemaDocument",
    route: { method: "GET", path: "/v1/schema", summary: "The readable data, and the queries it supports" },
    words: "Read the schema",
    run: readSchema,
  }),
  streams: read({
    query: queries.streamsQuery,
    answer: "StreamList",
    lane: "scans",
    route: { method: "GET", path: "/v1/streams", summary: "Streams with counts" },
    words: "Listed streams",
    run: readStreams,
  }),
  stream: read({
    query: queries.streamQuery,
    answer: "StreamMetadata",
    route: { method: "GET", path: "/v1/streams/{stream}", summary: "One stream: schema, keys, capabilities" },
    words: "Looked at a stream",
    run: readStream,
  }),
  records: read({
    query: queries.recordsQuery,
    answer: "RecordList",
    route: {
      method: "GET",
      path: "/v1/streams/{stream}/records",
      summary: "List records, or changes since an earlier read",
    },
    words: "Read records",
    run: (context, query) => {
      if (isAllStreams(context.caller.scope, query.stream)) return readAllChanges(context, query);
      return query.connection_id === ALL_CONNECTIONS ? readAllRecords(context, query) : readRecords(context, query);
    },
  }),
  changes: read({
    query: queries.changesQuery,
    answer: "RecordList",
    route: { method: "GET", path: "/v1/changes", summary: "Changes in all streams, newest first" },
    words: "Read changes",
    run: (context, query) => readAllChanges(context, { stream: ALL_STREAMS, ...query }),
  }),
  record: read({
    query: queries.recordQuery,
    answer: "Record",
    route: { method: "GET", path: "/v1/streams/{stream}/records/{id}", summary: "One record" },
    words: "Opened a record",
    run: readRecord,
  }),
  window: read({
    query: queries.windowQuery,
    answer: "FieldWindow",
    route: {
      method: "GET",
      path: "/v1/streams/{stream}/records/{id}/field-window",
      summary: "A window of one field's text",
    },
    words: "Read text",
    run: readWindow,
  }),
  aggregate: read({
    query: queries.aggregateQuery,
    answer: "Aggregation",
    lane: "scans",
    route: {
      method: "GET",
      path: "/v1/streams/{stream}/aggregate",
      summary: "Count, sum, min, max, avg or count_distinct, overall or by group",
    },
    words: "Counted",
    run: readAggregation,
  }),
  timeline: read({
    query: timelineQuery,
    answer: "RecordList",
    lane: "scans",
    route: {
      method: "GET",
      path: "/v1/timeline",
      summary: "Records of all streams by date, newest first",
    },
    words: "Read the timeline",
    run: readTimeline,
  }),
  timelineCounts: read({
    query: timelineCountsQuery,
    answer: "TimelineCounts",
    lane: "scans",
    route: {
      method: "GET",
      path: "/v1/timeline/counts",
      summary: "Record counts by kind, per day, month or year",
    },
    words: "Counted the timeline",
    run: readTimelineCounts,
  }),
  /** For the owner's map page: the positions of records, limited to what the page can show. */
  map: ownerRead({ query: mapQuery, lane: "scans", words: "Read the map", run: readMap }),
  mapExtent: ownerRead({
    query: mapExtentQuery,
    lane: "scans",
    words: "Read the extent of the map",
    run: readMapExtent,
  }),
  search: read({
    query: queries.searchQuery,
    answer: "SearchList",
    lane: "scans",
    route: { method: "GET", path: "/v1/search", summary: "Search the text of every granted stream" },
    words: "Searched",
    run: readSearch,
  }),
};
