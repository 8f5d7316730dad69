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
  exportHandle: "rows",
  exportInfo: "columns",
  export: "columns",
  exportFile: "columns",
  // Pages of a thousand rows: whoever reads one record does not wait behind them.
  exportPage: "columns",
  exportServed: "rows",
  exports: "rows",
  exportJob: "rows",
  exportDownload: "rows",
  exportTasks: "rows",
  createExport: "writer",
  deleteExport: "writer",
  settleExport: "writer",
  dropExport: "writer",
  blob: "rows",
  blobServed: "rows",
  admit: "rows",
  connections: "rows",
  connectors: "rows",
  ownerTokens: "rows",
  grants: "rows",
  grant: "rows",
  activity: "rows",
  why: "rows",
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
  importTarget: "writer",
  beginImport: "writer",
  importBatch: "writer",
  endImport: "writer",
  importBroken: "writer",
  pauseImport: "writer",
  cancelImport: "writer",
  undoImport: "writer",
  imports: "rows",
  import: "rows",
  consentOffer: "rows",
  consentRecords: "rows",
  approveConsent: "writer",
  openSession: "writer",
  closeSession: "writer",
  sessions: "rows",
  endSessions: "writer",
  setOwner: "writer",
  putSetupCode: "writer",
  checkSetupCode: "rows",
  ownerAccount: "rows",
  webSecret: "rows",
  authItem: "rows",
  authItemBy: "rows",
  putAuthItem: "writer",
  consumeAuthItem: "writer",
  deleteAuthItem: "writer",
  keepAuthItem: "writer",
  grantInfo: "rows",
  grantedDetails: "rows",
  tokenInfo: "rows",
  issueToken: "writer",
  deleteToken: "writer",
  endGrant: "writer",
  namedClient: "rows",
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
