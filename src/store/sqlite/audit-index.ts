// Finding lines of the audit log by what they say. The unit is a block of 64 lines: which terms stand in it is kept as
// the log grows, and blocks that have every term wanted are read. A term costs a line little, because most lines of a
// block share it; and blocks are filed in parts, so that what is written stays together whatever ids callers bring.
import type { DatabaseSync } from "node:sqlite";
import type { AuditEntry, AuditPage, AuditQuery, AuditRow, AuditWanted } from "../store.ts";
import { holderOf } from "./audit-totals.ts";

/** Lines of a block, and of a part. The migration in schema.ts has the same. */
const BLOCK = 64;
const PART = 4096;
/** Blocks that one call reads: it answers what it found until then, and where to go on. */
const BLOCKS_MAX = 256;

const blockOf = (n: number): number => Math.floor(n / BLOCK);
const partOf = (n: number): number => Math.floor(n / PART);

/** What lines are found by; the first letter says what it is. The migration in schema.ts has the same. */
function termsOf(entry: AuditEntry): string[] {
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

/** What a denied call asked for is what it is looked for by. */
const connectionOf = ({ connection_id, asked }: AuditEntry): string | undefined =>
  connection_id ?? asked?.connection_id;
const streamOf = ({ stream, asked }: AuditEntry): string | undefined => stream ?? asked?.stream;
const outcomeOf = ({ outcome }: AuditEntry): "ok" | "denied" => (outcome === "ok" ? "ok" : "denied");
const whoOf = ({ actor }: AuditEntry): "owner" | "app" => (actor === "owner" ? "owner" : "app");

function termsWanted(wanted: AuditWanted): string[] {
  const { requestId, outcome, actor, action, grantId, clientId, connectionId, stream } = wanted;
  return Object.entries({
    r: requestId,
    o: outcome,
    w: actor,
    a: action,
    g: grantId,
    c: clientId,
    n: connectionId,
    s: stream,
  }).flatMap(([kind, value]) => (value === undefined ? [] : [kind + value]));
}

function fits(entry: AuditEntry, terms: readonly string[], { since, until }: AuditWanted): boolean {
  if (entry.at < (since ?? Number.NEGATIVE_INFINITY) || entry.at >= (until ?? Number.POSITIVE_INFINITY)) return false;
  if (terms.length === 0) return true;
  const own = termsOf(entry);
  return terms.every((term) => own.includes(term));
}

export function auditIndex(database: DatabaseSync) {
  const put = database.prepare("INSERT OR IGNORE INTO mark VALUES (?, ?, ?)");
  const blocksWith = database.prepare(
    `SELECT block FROM mark WHERE part = ? AND term IN (SELECT value FROM json_each(?)) AND block BETWEEN ? AND ?
     GROUP BY block HAVING count(*) = ? ORDER BY block DESC`,
  );
  const marksOf = database.prepare("SELECT term, block FROM mark WHERE part = ?");
  const marks = database.prepare("SELECT count(*) AS count FROM mark");
  const lines = database.prepare("SELECT n, body FROM entry WHERE n >= ? AND n < ? ORDER BY n DESC");
  const timeFrom = database.prepare("SELECT at FROM entry WHERE n >= ? ORDER BY n LIMIT 1");
  const head = database.prepare("SELECT n, late FROM head");

  /** A line with this time or a later one before which is an earlier one; the end, if there is none. */
  function boundary(time: number, end: number): number {
    let [earlier, found] = [0, end];
    while (found - earlier > 1) {
      const middle = Math.floor((earlier + found) / 2);
      const at = (timeFrom.get(middle)?.at as number | undefined) ?? Number.POSITIVE_INFINITY;
      if (at >= time) found = middle;
      else earlier = middle;
    }
    return found;
  }

  /**
   * Lines outside are surely not in the time wanted. They stand almost in the order of time: `late` is by how much one
   * ever came after a later one. All lines from the first that is not before `since` on are at most so much earlier, and
   * all before the first that is `late` after `until` are earlier than that; a boundary lies on the safe side of either.
   */
  function range({ since, until, before = Number.MAX_SAFE_INTEGER }: AuditQuery): { from: number; to: number } {
    const row = head.get();
    const end = ((row?.n as number | undefined) ?? 0) + 1;
    const late = (row?.late as number | undefined) ?? 0;
    return {
      from: since === undefined ? 1 : boundary(since - late, end),
      to: Math.min(before, until === undefined ? end : boundary(until + late, end)),
    };
  }

  function* blocks(terms: readonly string[], from: number, to: number): Generator<number> {
    const [first, last] = [blockOf(from), blockOf(to - 1)];
    if (terms.length === 0) {
      for (let block = last; block >= first; block--) yield block;
      return;
    }
    const wanted = JSON.stringify(terms);
    for (let part = partOf(to - 1); part >= partOf(from); part--) {
      for (const row of blocksWith.all(part, wanted, first, last, terms.length)) yield row.block as number;
    }
  }

  return {
    add(numbered: readonly { n: number; entry: AuditEntry }[]): void {
      const seen = new Set<string>();
      for (const { n, entry } of numbered) {
        const block = blockOf(n);
        for (const term of termsOf(entry)) {
          const mark = `${block} ${term}`;
          if (seen.has(mark)) continue;
          seen.add(mark);
          put.run(partOf(n), term, block);
        }
      }
    },

    list(query: AuditQuery): AuditPage {
      const { from, to } = range(query);
      const terms = termsWanted(query);
      const rows: AuditRow[] = [];
      let read = 0;
      if (from >= to) return { rows };
      for (const block of blocks(terms, from, to)) {
        if (read++ === BLOCKS_MAX) return { rows, next: (block + 1) * BLOCK };
        const [low, high] = [Math.max(from, block * BLOCK), Math.min(to, (block + 1) * BLOCK)];
        for (const line of lines.all(low, high)) {
          const row = rowFrom(line);
          if (!fits(row, terms, query)) continue;
          if (rows.length === query.limit) return { rows, next: rows.at(-1)!.n };
          rows.push(row);
        }
      }
      return { rows };
    },

    /** Told of every line in order, it answers at the end whether what is kept is what the lines say. */
    check() {
      let [part, count, agrees] = [0, 0, true];
      let expected = new Set<string>();
      const close = (): void => {
        const kept = marksOf.all(part);
        agrees &&= kept.length === expected.size && kept.every(({ term, block }) => expected.has(`${block} ${term}`));
        count += expected.size;
      };
      return {
        add(n: number, entry: AuditEntry): void {
          if (partOf(n) !== part) {
            close();
            part = partOf(n);
            expected = new Set();
          }
          for (const term of termsOf(entry)) expected.add(`${blockOf(n)} ${term}`);
        },
        agrees(): boolean {
          close();
          return agrees && marks.get()!.count === count;
        },
      };
    },
  };
}

export const rowFrom = (row: Record<string, unknown>): AuditRow => ({
  n: row.n as number,
  ...(JSON.parse(row.body as string) as AuditEntry),
});
