// Which thread a call belongs to, decided without parsing it.
import type { MethodName } from "../methods.ts";

export type Lane = "rows" | "columns" | "search" | "writer";

/** Point reads and plain pages never queue behind a scan; a call that turns out to need columns moves over. */
const LANES: Record<MethodName, Lane> = {
  schema: "rows",
  streams: "columns",
  stream: "rows",
  records: "rows",
  record: "rows",
  window: "rows",
  aggregate: "columns",
  search: "search",
  blob: "rows",
  blobServed: "rows",
  admit: "rows",
  connections: "rows",
  connectors: "rows",
  ownerTokens: "rows",
  grants: "rows",
  grant: "rows",
  activity: "rows",
  verifyActivity: "columns",
  state: "rows",
  ingestTarget: "rows",
  ingest: "writer",
  deleteRecord: "writer",
  putConnector: "writer",
  createConnection: "writer",
  renameConnection: "writer",
  deleteConnection: "writer",
  putState: "writer",
  putBlob: "writer",
  issueGrant: "writer",
  revokeGrant: "writer",
  issueOwnerToken: "writer",
  revokeOwnerToken: "writer",
};

/** Any of these makes a page a matter of columns. */
const HEAVY = ["filter", "sort", "count", "expand"] as const;

export function laneOf(method: MethodName, query: unknown): Lane {
  const lane = LANES[method];
  if (lane !== "rows" || typeof query !== "object" || query === null) return lane;
  return HEAVY.some((name) => name in query && (query as Record<string, unknown>)[name] !== undefined)
    ? "columns"
    : "rows";
}
