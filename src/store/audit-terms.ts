// Terms for searching the audit log. The unit is a block of 64 lines. A block's terms are stored as the log grows, and
// only blocks that contain every wanted term are read. A term costs little per line, because most lines in a block
// share it. Blocks are stored in parts, so that writes stay local whatever ids callers send.
import { isDenial } from "../contract/errors.ts";
import { holderOf } from "./audit-sums.ts";
import type { AuditEntry, AuditRow, AuditWanted } from "./store.ts";

/** The number of lines per block and per part. The migration in sqlite/schema.ts uses the same numbers. */
export const BLOCK = 64;
const PART = 4096;
/** How many blocks one call reads. It then returns the lines found so far and where to continue. */
export const BLOCKS_MAX = 256;

export const blockOf = (n: number): number => Math.floor(n / BLOCK);
export const partOf = (n: number): number => Math.floor(n / PART);

/**
 * The search terms of a line. The first letter identifies the field. The migration in sqlite/schema.ts repeats this.
 */
export function termsOf(entry: AuditEntry): string[] {
  const holder = holderOf(entry);
  const connection = connectionOf(entry);
  const stream = streamOf(entry);
  return [
    `r${entry.request_id}`,
    `o${outcomeOf(entry)}`,
    `w${whoOf(entry)}`,
    `a${entry.action}`,
    ...(holder === null ? [] : [`g${holder}`]),
    ...(entry.client_id === undefined ? [] : [`c${entry.client_id}`]),
    ...(connection === undefined ? [] : [`n${connection}`]),
    ...(stream === undefined ? [] : [`s${stream}`]),
  ];
}

/** A denied call is found by the connection and stream that it requested. */
const connectionOf = ({ connection_id, asked }: AuditEntry): string | undefined =>
  connection_id ?? asked?.connection_id;
const streamOf = ({ stream, asked }: AuditEntry): string | undefined => stream ?? asked?.stream;
/** The term `odenied` covers every outcome except ok. `fits` tells denials from other failures. */
const outcomeOf = ({ outcome }: AuditEntry): "ok" | "denied" => (outcome === "ok" ? "ok" : "denied");
const whoOf = ({ actor }: AuditEntry): string => (actor === "owner" || actor === "server" ? actor : "app");

export function termsWanted(wanted: AuditWanted): string[] {
  const { requestId, outcome, actor, action, grantId, clientId, connectionId, stream } = wanted;
  return Object.entries({
    r: requestId,
    o: outcome === "failed" ? "denied" : outcome,
    w: actor,
    a: action,
    g: grantId,
    c: clientId,
    n: connectionId,
    s: stream,
  }).flatMap(([kind, value]) => (value === undefined ? [] : [kind + value]));
}

export function fits(entry: AuditEntry, terms: readonly string[], { since, until, outcome }: AuditWanted): boolean {
  if (entry.at < (since ?? Number.NEGATIVE_INFINITY) || entry.at >= (until ?? Number.POSITIVE_INFINITY)) return false;
  if (outcome === "denied" && !isDenial(entry.outcome)) return false;
  if (terms.length === 0) return true;
  const own = termsOf(entry);
  return terms.every((term) => own.includes(term));
}

/** Converts a line to the form that lists return. */
export const auditRow = (n: number, body: string): AuditRow => ({ n, ...(JSON.parse(body) as AuditEntry) });

/** Returns the marks of new lines, without duplicates. A mark records that a term occurs in a block. */
export function marksOf(
  numbered: readonly { n: number; entry: AuditEntry }[],
): { part: number; term: string; block: number }[] {
  const marks = new Map<string, { part: number; term: string; block: number }>();
  for (const { n, entry } of numbered) {
    const block = blockOf(n);
    for (const term of termsOf(entry)) marks.set(`${block} ${term}`, { part: partOf(n), term, block });
  }
  return [...marks.values()];
}
