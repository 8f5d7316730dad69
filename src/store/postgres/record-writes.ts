// Writes a batch of record changes in order. Each change gets the next version, and unchanged records get none. The
// result is computed here from the existing rows, and written in a few statements.
import type { StoredRow } from "../../core/plan.ts";
import { differs, type MovedRecord, moveRecord } from "../record-change.ts";
import { bornAt } from "../record-creation.ts";
import { BORN_COLUMNS, type BornRow, bornIn } from "../record-row.ts";
import type { BatchOptions, Change, WriteView } from "../store.ts";
import type { Connection } from "./connection.ts";
import { orderText } from "./record-order.ts";
import { rowFrom } from "./record-rows.ts";

/** A row as it is after the batch. */
interface Worked extends BornRow {
  isNew: boolean;
  isChanged: boolean;
  blobs: Change["blobs"];
}

export function recordWrites(
  connection: Connection,
  subject: string,
  counters: { version: number },
): Pick<WriteView, "apply"> {
  async function apply(streamNo: number, changes: readonly Change[], options: BatchOptions): Promise<number> {
    const rows = await existing(streamNo, changes);
    const trail = new Trail();
    let live = 0;
    let changed = 0;
    for (const [index, change] of changes.entries()) {
      const row = rows.get(change.id);
      if (row === undefined) {
        if (change.data === null) continue;
        counters.version++;
        rows.set(change.id, fresh(change, counters.version, options.now));
        live++;
      } else if (differs(row, change, options.appendOnly)) {
        counters.version++;
        if (row.data === null) live++;
        if (change.data === null) live--;
        changeExisting(row, change, trail);
      } else {
        if (change.data !== null)
          options.onSame?.(index, { data: row.data!, origin: row.origin, created: bornAt(row.origin, row.history) });
        continue;
      }
      changed++;
      options.onOutcome?.(index, row === undefined || row.data === null ? "created" : "changed");
      if (row !== undefined) follow(row, change);
    }
    if (changed > 0) await flush(streamNo, [...rows.values()], trail, live);
    return changed;

    function changeExisting(row: Worked, change: Change, moved: Trail): void {
      const after = moveRecord(row, change, counters.version, options);
      moved.move(row, after);
      row.history = JSON.stringify(after.history);
      for (const { blobId } of row.blobs) options.onReleased?.(blobId);
    }

    /** Called after the outcome is reported, because that depends on the row's earlier state. */
    function follow(row: Worked, change: Change): void {
      Object.assign(row, {
        version: counters.version,
        ord: change.ord,
        emittedAt: change.emittedAt,
        ingestedAt: options.now,
        data: change.data,
        origin: change.origin,
        isChanged: true,
        blobs: change.blobs,
      });
    }

    async function flush(stream: number, worked: Worked[], moved: Trail, added: number): Promise<void> {
      const inserts = worked.filter((row) => row.isNew);
      const updates = worked.filter((row) => row.isChanged && !row.isNew);
      if (updates.length > 0) {
        const ids = updates.map((row) => row.id);
        const released = await connection.rows(
          `DELETE FROM blob_use WHERE subject_id = $1 AND stream_no = $2 AND record_id = ANY ($3::text[]) RETURNING blob_id`,
          subject,
          stream,
          ids,
        );
        for (const [blobId] of released) options.onReleased?.(blobId as string);
        await connection.run(
          `UPDATE record SET version = u.version, ord = u.ord, emitted_at = u.emitted_at, ingested_at = u.ingested_at,
             data = u.data, origin = u.origin, history = u.history, born = u.born
           FROM unnest($3::text[], $4::bigint[], $5::text[], $6::float8[], $7::bigint[], $8::text[], $9::text[], $10::text[], $11::bigint[])
             AS u (id, version, ord, emitted_at, ingested_at, data, origin, history, born)
           WHERE record.subject_id = $1 AND record.stream_no = $2 AND record.id = u.id`,
          subject,
          stream,
          ids,
          ...columnsOf(updates),
          updates.map((row) => row.born),
        );
      }
      if (inserts.length > 0) {
        await connection.run(
          `INSERT INTO record (subject_id, stream_no, id, version, ord, emitted_at, ingested_at, data, origin, history, born)
           SELECT $1, $2, * FROM unnest($3::text[], $4::bigint[], $5::text[], $6::float8[], $7::bigint[], $8::text[], $9::text[], $10::text[], $11::bigint[])`,
          subject,
          stream,
          inserts.map((row) => row.id),
          ...columnsOf(inserts),
          inserts.map((row) => (row.born === row.version ? null : row.born)),
        );
      }
      await moved.flush(connection, subject, stream);
      const uses = worked.flatMap((row) =>
        row.isNew || row.isChanged ? row.blobs.map(({ blobId, field }) => [blobId, row.id, field] as const) : [],
      );
      if (uses.length > 0) {
        await connection.run(
          `INSERT INTO blob_use (subject_id, stream_no, blob_id, record_id, field)
           SELECT $1, $2, * FROM unnest($3::text[], $4::text[], $5::text[]) ON CONFLICT DO NOTHING`,
          subject,
          stream,
          ...[0, 1, 2].map((at) => uses.map((use) => use[at]!)),
        );
      }
      await connection.run(
        "UPDATE stream SET live = live + $3, changed_at = $4 WHERE subject_id = $1 AND stream_no = $2",
        subject,
        stream,
        added,
        options.now,
      );
    }
  }

  async function existing(streamNo: number, changes: readonly Change[]): Promise<Map<string, Worked>> {
    const ids = [...new Set(changes.map((change) => change.id))];
    const found = await connection.rows(
      `SELECT ${BORN_COLUMNS}
       FROM record WHERE subject_id = $1 AND stream_no = $2 AND id = ANY ($3::text[])`,
      subject,
      streamNo,
      ids,
    );
    return new Map(
      found.map((row) => [
        row[1] as string,
        { ...rowFrom(row), born: bornIn(row), isNew: false, isChanged: false, blobs: [] },
      ]),
    );
  }

  return { apply };
}

const fresh = (change: Change, version: number, now: number): Worked => ({
  version,
  id: change.id,
  ord: change.ord,
  born: version,
  emittedAt: change.emittedAt,
  ingestedAt: now,
  data: change.data,
  origin: change.origin,
  history: null,
  isNew: true,
  isChanged: false,
  blobs: change.blobs,
});

const columnsOf = (rows: readonly StoredRow[]) => [
  rows.map((row) => row.version),
  rows.map((row) => (row.ord === null ? null : orderText(row.ord))),
  rows.map((row) => row.emittedAt),
  rows.map((row) => row.ingestedAt),
  rows.map((row) => row.data),
  rows.map((row) => row.origin),
  rows.map((row) => row.history),
];

/** The rows at the earlier positions of changed records, in their state after the batch. */
class Trail {
  readonly #add = new Map<number, string>();
  readonly #drop = new Set<number>();

  move(row: StoredRow, { dropped, leavesTrail }: MovedRecord): void {
    for (const position of dropped) if (!this.#add.delete(position)) this.#drop.add(position);
    if (leavesTrail) this.#add.set(row.version, row.id);
  }

  async flush(connection: Connection, subject: string, streamNo: number): Promise<void> {
    if (this.#drop.size > 0) {
      await connection.run(
        "DELETE FROM trail WHERE subject_id = $1 AND stream_no = $2 AND version = ANY ($3::bigint[])",
        subject,
        streamNo,
        [...this.#drop],
      );
    }
    if (this.#add.size > 0) {
      await connection.run(
        `INSERT INTO trail (subject_id, stream_no, version, id)
         SELECT $1, $2, * FROM unnest($3::bigint[], $4::text[])`,
        subject,
        streamNo,
        [...this.#add.keys()],
        [...this.#add.values()],
      );
    }
  }
}
