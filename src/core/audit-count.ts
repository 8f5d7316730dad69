// Computes what one line of the audit log adds to the counts: a successful or denied call, and the records and bytes
// that it returned.
import { isDenial } from "../contract/errors.ts";

export interface AuditCount {
  calls: number;
  denied: number;
  records: number;
  bytes: number;
}

/**
 * Lines that end a streamed response. The call, and for a blob its record, were already counted with the first line.
 */
const CLOSING = new Set(["blobServed", "exportServed", "files.served"]);

export function countOfLine(line: { action: string; outcome: string; records: number; bytes: number }): AuditCount {
  const { action, outcome, records, bytes } = line;
  const call = CLOSING.has(action) ? 0 : 1;
  return {
    calls: outcome === "ok" ? call : 0,
    // A request that failed with an error counts as neither successful nor denied.
    denied: isDenial(outcome) ? call : 0,
    records: action === "blobServed" ? 0 : records,
    bytes,
  };
}
