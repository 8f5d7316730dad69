// Verifies the audit log. Given every entry in order, it finds the first that does not match, and computes the totals
// and marks that must be stored. The engines read the entries.
import type { KeyObject } from "node:crypto";
import { auditChain, follow, GENESIS } from "./audit-chain.ts";
import { addTotal, holderOf, noTotals, type Totals } from "./audit-sums.ts";
import { blockOf, partOf, termsOf } from "./audit-terms.ts";
import type { AuditEntry, AuditVerdict } from "./store.ts";

/** How many entries are read at a time. This takes about 20 ms. */
export const SLICE_ENTRIES = 2000;

export interface WalkedEntry {
  n: number;
  at: number;
  grantId: string | null;
  body: string;
  hash: Uint8Array;
}

/** The marks of one part of the log, as `block term`. */
export interface ExpectedMarks {
  part: number;
  marks: Set<string>;
}

export interface AuditHead {
  n: number;
  seal: Uint8Array;
  newest: number;
  late: number;
}

export function auditWalk(key: KeyObject) {
  const { link, seal } = auditChain(key);
  const order = { newest: 0, late: 0 };
  const sums: Totals = noTotals();
  let [n, gaps] = [0, 0];
  let hash: Uint8Array = GENESIS;
  let marks: ExpectedMarks = { part: 0, marks: new Set() };
  let complete: ExpectedMarks[] = [];

  const brokenAt = (entry: number, reason: string): AuditVerdict => ({ entries: entry - 1, brokenAt: entry, reason });

  /** Returns a verdict if an entry does not match. */
  function take(entries: Iterable<WalkedEntry>): AuditVerdict | undefined {
    for (const row of entries) {
      n++;
      if (row.n !== n) return brokenAt(n, `entry ${n} is missing`);
      hash = link(hash, n, row.body);
      // Only an unchanged body is certain to be JSON, so compare the hash first.
      const entry = Buffer.from(row.hash).equals(hash) ? (JSON.parse(row.body) as AuditEntry) : undefined;
      if (entry === undefined || row.at !== entry.at || row.grantId !== holderOf(entry))
        return brokenAt(n, `entry ${n} was changed`);
      addTotal(sums, entry);
      follow(order, entry.at);
      if (entry.may_be_missing !== undefined) gaps++;
      if (partOf(n) !== marks.part) {
        complete.push(marks);
        marks = { part: partOf(n), marks: new Set() };
      }
      for (const term of termsOf(entry)) marks.marks.add(`${blockOf(n)} ${term}`);
    }
    return undefined;
  }

  return {
    take,
    get entries(): number {
      return n;
    },
    sums,
    /** Returns the marks of parts that are now complete, without repeating any. */
    completeParts(): ExpectedMarks[] {
      const parts = complete;
      complete = [];
      return parts;
    },
    /** Returns the marks of the last part. Call it after the last entry. */
    lastPart: (): ExpectedMarks => marks,
    /** The final check after all entries. `head` is stored with the last entry. */
    endsRight: (head: AuditHead | undefined): boolean =>
      head === undefined ? n === 0 : head.n === n && Buffer.from(head.seal).equals(seal(n, hash)),
    isInOrder: (head: AuditHead | undefined): boolean =>
      head === undefined || (head.newest === order.newest && head.late === order.late),
    broken: (reason: string): AuditVerdict => brokenAt(n + 1, reason),
    whole: (): AuditVerdict => (gaps === 0 ? { entries: n } : { entries: n, gaps }),
  };
}

export const REASONS = {
  end: "entries are missing at the end",
  sums: "the totals by grant were changed",
  marks: "the index of entries was changed",
  journal: "entries were changed in a journal",
} as const;
