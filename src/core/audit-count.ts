// The contribution of one line of the audit log to the counts: an answered or denied call, and the records and bytes that it
// returned.
import { isDenial } from "../contract/errors.ts";

export interface AuditCount {
  calls: number;
  denied: number;
  records: number;
  bytes: number;
}

/**
 * Lines that close a streamed answer: the call, and for a blob its record, were already counted with the opening line.
 */
const CLOSING = new Set(["blobServed", "exportServed", "files.served"]);

export function countOfLine(line: { action: string; outcome: string; records: number; bytes: number }): AuditCount {
  const { action, outcome, records, bytes } = line;
  const call = CLOSING.has(action) ? 0 : 1;
  return {
    calls: outcome === "ok" ? call : 0,
    // A request that caused an error counts as neither.
    denied: isDenial(outcome) ? call : 0,
    records: action === "blobServed" ? 0 : records,
    bytes,
  };
}
