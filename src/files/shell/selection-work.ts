// Works on whole selections of up to 200,000 entries, in steps, so that other calls on the same thread can run.
import { randomBytes } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { PdppError } from "../../contract/errors.ts";
import type { FileFilter, SelectedNodes } from "../../contract/files.ts";
import { SELECTION } from "../../contract/limits.ts";
import type { Files } from "../files.ts";
import { nodeHandles } from "../handles.ts";
import type { Gathered } from "../read/gathered.ts";
import { kindOf } from "../read/node-view.ts";
import { type Combine, combined } from "./combine.ts";
import type { QueryRow } from "./query-rows.ts";
import type { KnownTotals, SetEntry, SetRow } from "./selection-rows.ts";
import type { ShellStore } from "./shell-store.ts";

/** Entries per step. A step takes about 10 ms. */
const STEP = 2000;

export interface NewSet {
  client: string;
  name: string;
  indexId: string;
}

export type SelectionWork = ReturnType<typeof selectionWork>;

export function selectionWork({ files, store, now }: { files: Files; store: ShellStore; now: () => number }) {
  const keyFor = (setId: string): string => `${setId}~${randomBytes(6).toString("base64url")}`;

  function newRow({ client, name, indexId }: NewSet, expires_at: number | null = null): SetRow {
    if (expires_at === null && store.countSets(client) >= SELECTION.sets) {
      throw new PdppError("resource_limit", `there are already ${SELECTION.sets} selections`, {
        next_step: 'Delete some: resource-set-ops({"op":"delete","selectionId":"…"}).',
      });
    }
    const set_id = `sel_${randomBytes(9).toString("base64url")}`;
    return { set_id, client, name, index_id: indexId, created_at: now(), updated_at: now(), totals: null, expires_at };
  }

  async function discard(key: string): Promise<void> {
    while (store.discard(key)) await nextTurn();
  }

  return {
    async create(set: NewSet, entries: readonly SetEntry[]): Promise<SetRow> {
      const row = newRow(set);
      store.putSet(row);
      store.addEntries(row.set_id, entries, row.created_at);
      return row;
    },

    /** Uses the selections as they were at the start. Creates nothing if the result has too many entries. */
    async combine(set: NewSet, how: Combine, setIds: readonly string[]): Promise<SetRow> {
      const row = newRow(set);
      const key = keyFor(row.set_id);
      const parts = store.snapshot(setIds);
      try {
        let [entries, steps]: [SetEntry[], number] = [[], 0];
        let found = 0;
        for (const entry of combined(how, parts.entries)) {
          if (entry !== undefined && entries.push(entry) && ++found > SELECTION.entries) throw tooMany(how);
          if (++steps < STEP) continue;
          store.gather(key, entries);
          [entries, steps] = [[], 0];
          await nextTurn();
        }
        store.gather(key, entries);
        store.putSet(row, key);
        return row;
      } catch (error) {
        await discard(key);
        throw error;
      } finally {
        parts.close();
      }
    },

    /** Replaces the contents of a selection with the current matches of its saved query. */
    async fill(query: QueryRow, { filter, under }: { filter: FileFilter; under?: string }): Promise<SetRow> {
      // Search before writing anything, so that a refused filter leaves nothing behind.
      const { status, scans } = await files.indexInfo(query.index_id);
      const found = await files.select(query.index_id, { filter, under });
      const isSame = status === "complete" && (await files.indexInfo(query.index_id)).scans === scans;
      const matches = found.dirs.length;
      if (matches > SELECTION.entries) {
        throw new PdppError(
          "resource_limit",
          `${matches} nodes match, but a selection can have at most ${SELECTION.entries}`,
          {
            param: "filter",
            next_step: 'Narrow the filter, e.g. {"and":[…,{"size":{"min":1000000}}]}.',
          },
        );
      }
      const known = query.set_id === null ? undefined : store.set(query.set_id);
      const set =
        known ?? newRow({ client: query.client, name: query.name, indexId: query.index_id }, query.expires_at);
      // A reader that is paging through the selection sees the old entries until they are replaced.
      const key = keyFor(set.set_id);
      for (let at = 0; at < matches; at += STEP) {
        store.gather(key, entriesAt(query.index_id, found, at));
        await nextTurn();
      }
      if (known === undefined) store.putSet(set);
      const before = store.replaceEntries(set.set_id, key, now());
      store.putQuery({ ...query, set_id: set.set_id, executed_at: now() });
      if (query.expires_at !== null) store.setExpiry(set.set_id, query.expires_at);
      const { files: regular, directories: dirs, size } = found;
      if (isSame) store.setTotals(store.set(set.set_id)!, { files: regular, dirs, missing: 0, size, scans });
      await discard(before);
      return store.set(set.set_id) ?? set;
    },

    /** Returns the selection's totals in the current index, and the current state of the shown entries (S-18). */
    async look(set: SetRow, shown: readonly string[] = []): Promise<Gathered> {
      const { status, scans } = await files.indexInfo(set.index_id);
      const known = set.totals === null ? undefined : (JSON.parse(set.totals) as KnownTotals);
      // A rescan changes an index only at its end, whereas a first scan changes it continuously.
      if (known?.scans === scans && status === "complete") {
        const { scans: _scans, ...totals } = known;
        return { totals, nodes: await files.nodes(set.index_id, shown) };
      }
      if (status === "empty") return { totals: { files: 0, dirs: 0, missing: 0, size: 0 }, nodes: [] };
      const found = await files.gathered(set.index_id, store.nodeIds(set.set_id), shown);
      const isSame = (await files.indexInfo(set.index_id)).scans === scans;
      if (status === "complete" && isSame) store.setTotals(set, { ...found.totals, scans });
      return found;
    },

    async remove(setId: string): Promise<void> {
      store.deleteQueriesOf(setId);
      await discard(store.deleteSet(setId));
    },

    /** Deletes unnamed results that have expired, and the oldest if there are too many. */
    async sweep(client: string): Promise<void> {
      for (const setId of store.expired(client, now(), SELECTION.unnamed)) {
        store.deleteQueriesOf(setId);
        await discard(store.deleteSet(setId));
      }
    },
  };
}

function tooMany(how: Combine): PdppError {
  const message = `the ${how} has more than ${SELECTION.entries} entries, the maximum for a selection; nothing was created`;
  return new PdppError("resource_limit", message, {
    param: "selectionIds",
    next_step: "Combine fewer selections, or intersect them with a narrower one first.",
  });
}

function entriesAt(indexId: string, found: SelectedNodes, from: number): SetEntry[] {
  const to = from + STEP;
  const part = { dirs: found.dirs.subarray(from, to), numbers: found.numbers.subarray(from, to) };
  return nodeHandles(indexId, part).map((nodeId, at) => ({
    nodeId,
    kind: kindOf(found.modes[from + at]!),
    size: found.sizes[from + at]!,
  }));
}
