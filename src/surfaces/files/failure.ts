// Errors of the files lens for HTTP. Tool calls in the shell's messages are replaced by the equivalent requests.
import { PdppError } from "../../contract/errors.ts";

/** Matches calls in the shell's notation. */
const TOOL =
  /\b(?:cd|index|inspect|job-progress|resource-set-ops|query-run|query-list|query-get|session-preferences)(?:\(|\b(?= to see| lists))|\bwith cd\b|query-run\b|\bcd into\b|Call index\b|sessionId/;

const BY_PARAM: Record<string, string> = {
  indexId: "GET /api/indexes lists the indexes that you can read; POST /api/indexes creates one.",
  selectionId: "GET /api/resource-sets lists yours; POST /api/resource-sets creates one.",
  selectionIds: "GET /api/resource-sets lists yours; combine two to twenty selections of one index.",
  queryId: "GET /api/queries lists yours; POST /api/queries creates one.",
  jobId: "POST /api/indexes starts a scan and returns its jobId; GET /api/indexes lists running jobs.",
  sessionId: "cd at /files/mcp returns your sessionId; you cannot see the sessions of other callers.",
  root: "GET /api/roots lists the roots that you can read; specify one by rootId or path.",
  path: "GET /api/roots lists the roots that you can read.",
  filter: 'Narrow it, e.g. {"and":[{"name":"*.pdf"},{"size":{"min":1000000}}]}.',
  nodeIds: "List the directory again (GET /api/indexes/INDEX/tree?parent=NODE) and use nodes from that list.",
};

export function inHttpWords(error: PdppError, { method, pathname }: { method: string; pathname: string }): PdppError {
  const { param, next_step: own } = error.details;
  if (own !== undefined && !TOOL.test(own)) return error;
  const next = stepOf(error, `${method} ${pathname}`) ?? (param === undefined ? undefined : BY_PARAM[param]);
  // If no next step is found, the error gets the default for its code.
  const { next_step: _own, ...details } = error.details;
  const translated = new PdppError(
    error.code,
    error.message,
    next === undefined ? details : { ...details, next_step: next },
  );
  translated.stack = error.stack;
  return translated;
}

function stepOf({ code, message }: PdppError, here: string): string | undefined {
  switch (code) {
    case "invalid_cursor":
      return `${here} without a cursor starts again; a cursor works only with the list that returned it.`;
    case "root_not_allowed":
      return "GET /api/roots lists the roots that you can read; the owner adds one: POST /api/roots.";
    case "resource_limit":
      if (message.includes("selections")) return "DELETE /api/resource-sets/SELECTION makes room.";
      return message.includes("queries") ? "DELETE /api/queries/QUERY makes room." : undefined;
    case "invalid_filter":
      return 'Write it like {"and":[{"name":"*.pdf"},{"size":{"min":1000000}}]}.';
    default:
      return undefined;
  }
}
