// The store contract as a test suite. Every engine runs it, and a naive model defines the correct results.
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fieldsOf } from "../core/fields.ts";
import { compilePlan, type Plan, reveal, revealChange } from "../core/plan.ts";
import type { ScopeRow } from "../core/scope.ts";
import { auditListContract } from "./audit-list-contract.fixture.ts";
import { authorityContract } from "./authority-contract.fixture.ts";
import { keepingContract } from "./keeping-contract.fixture.ts";
import { NaiveRecords } from "./naive-records.fixture.ts";
import type { Change, NewestSpan, Store } from "./store.ts";
import { change, declaration, gone, grant, item, limitsIn, NOW, READERS, WORDS } from "./store-samples.fixture.ts";

export interface OpenedStore {
  store: Store;
  /** Opens another connection to the same data, as another thread would. */
  another(): Promise<Store>;
  close(): Promise<void>;
}

export function storeContract(name: string, open: () => Promise<OpenedStore>): void {
  describe(name, () => {
    let opened: OpenedStore;
    let store: Store;
    let streamNo: number;
    let subject: string;
    beforeEach(async () => {
      opened = await open();
      store = opened.store;
      subject = await store.read((view) => view.subject());
      streamNo = await store.write(async (view) => {
        await view.putSource(subject, "contract", declaration, NOW);
        const connection = {
          connectionId: "cin_1",
          sourceId: declaration.source.id,
          displayName: "One",
          createdAt: NOW,
        };
        await view.putConnection(subject, connection);
        return view.openStream("cin_1", "items");
      });
    });
    afterEach(() => opened.close());

    const planOf = (limits: Partial<ScopeRow> = {}): Plan => {
      const stream = declaration.streams[0]!;
      return compilePlan({
        stream: {
          streamNo,
          name: "items",
          connectionId: "cin_1",
          connectorKey: "contract",
          displayName: "One",
          source: declaration.source,
          sourceName: "Contract",
          declaration: stream,
          fields: fieldsOf(stream),
          lists: new Map(),
          blobFields: new Set(),
        },
        fields: null,
        ...limits,
      });
    };
    const apply = (
      changes: readonly Change[],
      options: { appendOnly?: boolean; now?: number } = {},
      to: Store = store,
    ) =>
      to.write((view) =>
        view.apply(streamNo, changes, {
          appendOnly: options.appendOnly ?? false,
          limitsOf: limitsIn,
          now: options.now ?? NOW,
        }),
      );
    const version = (of: Store = store): Promise<number> => of.read((view) => view.version());
    const live = async (): Promise<[string, string | null][]> => {
      const rows = await store.read((view) => view.page(planOf(), { descending: false, limit: 1000 }));
      return rows.map((row) => [row.id, row.data]);
    };

    describe("the feed", () => {
      it("assigns the next version to every insert, update and delete, and none to an unchanged record", async () => {
        expect(await apply([item("a"), item("b")])).toBe(2);
        expect(await version()).toBe(2);
        expect(await apply([item("a")])).toBe(0);
        expect(await apply([item("a", "new"), gone("b"), gone("never")])).toBe(2);
        expect(await version()).toBe(4);
        const rows = await store.read((view) => view.changes(streamNo, 0, 100, 100));
        expect(rows.map((row) => [row.version, row.id, row.born, row.data === null])).toEqual([
          [3, "a", 1, false],
          [4, "b", 2, true],
        ]);
        expect(await store.read((view) => view.allChanges(3, 100, 100))).toHaveLength(1);
        expect(await store.read((view) => view.changes(streamNo, 0, 3, 100))).toHaveLength(1);
      });

      it("keeps a tombstone under its id, and a record that is inserted again is the same record", async () => {
        await apply([item("a", "one")]);
        await apply([gone("a")]);
        expect(await store.read((view) => view.point(planOf(), "a"))).toMatchObject({
          id: "a",
          data: null,
          version: 2,
        });
        await apply([item("a", "two")]);
        expect(await store.read((view) => view.changes(streamNo, 2, 3, 1))).toMatchObject([{ version: 3, born: 1 }]);
        expect(await store.read((view) => view.total(planOf()))).toEqual({ live: 1, changedAt: NOW });
      });

      it("applies repeated ids in one batch in order, adjacent or not", async () => {
        const batch = [
          item("x", "1"),
          ...Array.from({ length: 70 }, (_, n) => item(`f${n}`)),
          item("x", "2"),
          gone("x"),
          item("x", "3"),
          item("x", "3"),
        ];
        expect(await apply(batch)).toBe(74);
        expect(await store.read((view) => view.point(planOf(), "x"))).toMatchObject({
          data: item("x", "3").data,
          version: 74,
        });
        expect((await store.read((view) => view.total(planOf()))).live).toBe(71);
      });

      it("leaves an append_only record unchanged, even within one batch", async () => {
        expect(await apply([item("a", "1"), item("a", "2")], { appendOnly: true })).toBe(1);
        expect(await apply([item("a", "3")], { appendOnly: true })).toBe(0);
        expect(await live()).toEqual([["a", item("a", "1").data]]);
      });

      it("tells apart ids that differ in any character", async () => {
        const unusual = ["a", "A", "á", "a\u0301", "a\u0000", "a\u0000b", " a", "𝒳", "ﬀ", "'", "%", ""];
        await apply(unusual.map((id) => item(id)));
        expect((await live()).map(([id]) => id).sort()).toEqual([...unusual].sort());
        for (const id of unusual) expect((await store.read((view) => view.point(planOf(), id)))?.id).toBe(id);
      });
    });

    describe("transactions", () => {
      it("a failed piece changes nothing and does not affect other pieces in the same commit", async () => {
        const results = await Promise.allSettled([
          apply([item("a")]),
          store.write(async (view) => {
            await view.apply(streamNo, [item("doomed")], {
              appendOnly: false,
              limitsOf: () => ({ time: null }),
              now: NOW,
            });
            await view.putState(subject, "cin_1", { items: 1 }, NOW);
            throw new Error("on purpose");
          }),
          apply([item("b")]),
        ]);
        expect(results.map((result) => result.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
        expect((await live()).map(([id]) => id)).toEqual(["a", "b"]);
        expect(await version()).toBe(2);
        expect((await store.read((view) => view.state(subject, "cin_1"))).state).toEqual({});
      });

      it("a read sees one version from beginning to end, whatever others commit", async () => {
        await apply([item("a")]);
        const other = await opened.another();
        await store.read(async (view) => {
          expect(await view.version()).toBe(1);
          await apply([item("b"), gone("a")], {}, other);
          expect(await view.version()).toBe(1);
          expect((await view.page(planOf(), { descending: false, limit: 10 })).map((row) => row.id)).toEqual(["a"]);
          expect(await view.total(planOf())).toMatchObject({ live: 1 });
        });
        expect(await version()).toBe(3);
        expect((await live()).map(([id]) => id)).toEqual(["b"]);
        await other.close();
      });

      it("two connections that write alternately lose nothing and share no version", async () => {
        const other = await opened.another();
        for (let n = 0; n < 40; n++) expect(await apply([item(`n${n}`)], {}, n % 2 === 0 ? store : other)).toBe(1);
        const rows = await store.read((view) => view.changes(streamNo, 0, 100, 100));
        expect(rows.map((row) => row.version)).toEqual(Array.from({ length: 40 }, (_, n) => n + 1));
        await other.close();
      });
    });

    it("agrees with a naive model on rows, pages, feeds and totals, for owners and grants", async () => {
      let round = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(change, { maxLength: 12 }), { minLength: 1, maxLength: 6 }),
          async (batches) => {
            const connectionId = `cin_model_${round++}`;
            streamNo = await store.write(async (view) => {
              await view.putConnection(subject, {
                connectionId,
                sourceId: declaration.source.id,
                displayName: "M",
                createdAt: NOW,
              });
              return view.openStream(connectionId, "items");
            });
            const model = new NaiveRecords(await version());
            for (const [index, batch] of batches.entries()) {
              expect(await apply(batch, { now: NOW + index })).toBe(model.apply(batch, NOW + index));
            }
            await store.read(async (view) => {
              expect(await view.version()).toBe(model.version);
              expect((await view.total(planOf())).live).toBe(model.live().length);
              for (const descending of [true, false]) {
                for (const limit of [1, 3, 100]) {
                  const ids: string[] = [];
                  let after: { ord: string | number | null; id: string } | undefined;
                  for (;;) {
                    const rows = await view.page(planOf(), { descending, limit, after });
                    ids.push(...rows.map((row) => row.id));
                    const last = rows.at(-1);
                    if (rows.length < limit || last === undefined) break;
                    after = { ord: last.ord, id: last.id };
                  }
                  expect(ids).toEqual(model.ordered(descending));
                }
              }
              const raw = await view.changes(streamNo, 0, model.version, 1000);
              expect(raw.map((row) => [row.version, row.id, row.data])).toEqual(model.newest());
              const rows = await view.rows(planOf(), raw.map((row) => row.version).reverse());
              expect(rows.map((row) => row.id)).toEqual(raw.map((row) => row.id).reverse());
              const newest = async (span: NewestSpan) => (await view.newest(planOf(), span)).map((row) => row.version);
              const [first = 0, ...rest] = raw.map((row) => row.version);
              const before = Number.MAX_SAFE_INTEGER;
              expect(await newest({ after: 0, before, limit: 2, changed: false })).toEqual(
                [first, ...rest]
                  .filter((version) => version > 0)
                  .slice(-2)
                  .reverse(),
              );
              const last = rest.at(-1) ?? first;
              expect(await newest({ after: first, before: last, limit: 1000, changed: true })).toEqual(
                raw
                  .filter(({ version, born }) => version > first && version < last && born !== version)
                  .map(({ version }) => version)
                  .reverse(),
              );
              for (const limits of READERS) {
                const plan = planOf(limits);
                const seen: [number, string, string | null][] = [];
                let position = model.start;
                for (;;) {
                  const entries = await view.feed(plan, position, model.version, 3);
                  for (const entry of entries) {
                    const shown = revealChange(plan, entry.row, entry.position);
                    if (shown) seen.push([entry.position, shown.id, "data" in shown ? shown.data : null]);
                    position = entry.position;
                  }
                  if (entries.length < 3) break;
                }
                expect(seen).toEqual(model.feedOf(limits));
                const backwards = await view.feed(plan, model.start, model.version, 1000, true);
                const shown = backwards.flatMap(({ row, position: at }) => revealChange(plan, row, at)?.stamp[0] ?? []);
                expect(shown).toEqual(seen.map(([at]) => at).reverse());
                const last = await view.feed(plan, model.start, model.version, 2, true);
                expect(last.map(({ position: at }) => at)).toEqual(backwards.slice(0, 2).map(({ position: at }) => at));
                for (const row of await view.page(planOf(), { descending: false, limit: 1000 })) {
                  expect(reveal(plan, row)?.data).toBe(model.shownTo(limits, row.id));
                }
              }
            });
          },
        ),
        { numRuns: 60 },
      );
    });

    authorityContract(() => store);
    keepingContract(() => opened);
    auditListContract(() => opened);

    describe("data other than records", () => {
      it("the epoch changes with sources, connections, grants and revocations, but not with records", async () => {
        const epoch = (): Promise<number> => store.read((view) => view.epoch());
        let last = await epoch();
        await apply([item("a")]);
        expect(await epoch()).toBe(last);
        const moves: ((view: Parameters<Parameters<Store["write"]>[0]>[0]) => unknown)[] = [
          (view) => view.renameConnection("cin_1", "Other"),
          (view) => view.putClient(subject, "cli_1", "Client", NOW),
          (view) => view.putGrant(subject, grant("grt_1"), null, WORDS),
          (view) => view.consumeGrant("grt_1", NOW),
          (view) => view.revokeGrant("grt_1", NOW + 1, "reuse"),
          (view) => view.restoreGrant("grt_1"),
          (view) => view.changeGrant({ ...grant("grt_1"), paused_at: "2026-01-01T00:00:00Z" }, WORDS),
          (view) => view.changeGrant(grant("grt_1"), null),
          (view) => view.revokeGrant("grt_1", NOW + 2, "owner"),
          (view) => view.putSource(subject, "contract", { ...declaration, declaration_version: "2" }, NOW + 3),
        ];
        for (const [index, move] of moves.entries()) {
          await store.write(async (view) => void (await move(view)));
          const now = await epoch();
          if (index !== 1) expect(now).toBeGreaterThan(last);
          last = now;
        }
        await store.read(async (view) => {
          expect(await view.grant("grt_1")).toEqual({
            grant: grant("grt_1"),
            packageId: null,
            revokedAt: NOW + 2,
            endedBy: "owner",
            consumedAt: NOW,
            words: null,
          });
          const [source] = await view.sources(subject);
          // A source keeps the time at which it was added, whatever declarations follow.
          expect(source).toMatchObject({ createdAt: NOW, declaration: { declaration_version: "2" } });
          expect((await view.connections(subject)).map((one) => one.displayName)).toEqual(["Other"]);
        });
      });

      it("O-09 the grants that are not revoked are read without those that are, newest first", async () => {
        const unrevoked = (): Promise<string[]> =>
          store.read(async (view) => (await view.unrevokedGrants(subject)).map(({ grant: { grant_id } }) => grant_id));
        await store.write(async (view) => {
          await view.putClient(subject, "cli_1", "Client", NOW);
          for (const day of [1, 2, 3]) {
            const issued = { ...grant(`grt_${day}`), issued_at: `2026-01-0${day}T00:00:00Z` };
            await view.putGrant(subject, issued, null, WORDS);
          }
        });
        await store.write(async (view) => void (await view.revokeGrant("grt_2", NOW + 1, "owner")));
        expect(await unrevoked()).toEqual(["grt_3", "grt_1"]);
        await store.write(async (view) => void (await view.restoreGrant("grt_2")));
        expect(await unrevoked()).toEqual(["grt_3", "grt_2", "grt_1"]);
      });

      it("packages list their grants in the given order", async () => {
        await store.write(async (view) => {
          for (const id of ["grt_b", "grt_a"]) await view.putGrant(subject, grant(id), "gpkg_1", WORDS);
        });
        const members = await store.read((view) => view.grantsOfPackage("gpkg_1"));
        expect(members.map((row) => row.grant.grant_id)).toEqual(["grt_b", "grt_a"]);
        expect(await store.read((view) => view.grantsOfPackage("gpkg_2"))).toEqual([]);
      });

      it("changed and deleted records report the blobs that they release, and blobs without a reference are deleted", async () => {
        const uses = (...ids: string[]) => ids.map((blobId) => ({ blobId, field: "title" }));
        await store.write(async (view) => {
          for (const blobId of ["blob_x", "blob_y", "blob_z"])
            await view.putBlob(
              { blobId, generation: `of ${blobId}`, mimeType: "a/b", sizeBytes: 1, sha256: "00" },
              NOW,
            );
        });
        await apply([
          { ...item("a"), blobs: uses("blob_x", "blob_y") },
          { ...item("b"), blobs: uses("blob_y", "blob_z") },
        ]);
        const released: string[] = [];
        const dropped = await store.write(async (view) => {
          const changes = [
            { ...item("a", "moved"), blobs: uses("blob_y") },
            { ...item("b"), data: null, blobs: [] },
          ];
          const onReleased = (blobId: string): void => void released.push(blobId);
          await view.apply(streamNo, changes, {
            appendOnly: false,
            limitsOf: () => ({ time: null }),
            now: NOW,
            onReleased,
          });
          return view.dropUnusedBlobs(released);
        });
        expect(released.sort()).toEqual(["blob_x", "blob_y", "blob_y", "blob_z"]);
        expect(dropped.map(({ blobId, generation }) => [blobId, generation]).sort()).toEqual([
          ["blob_x", "of blob_x"],
          ["blob_z", "of blob_z"],
        ]);
        await store.read(async (view) => {
          expect(await view.blob("blob_x")).toBeUndefined();
          expect(await view.blob("blob_y")).toMatchObject({ blobId: "blob_y", generation: "of blob_y" });
        });
      });

      it("deleting a connection deletes its records, trails, blob references and state, and nothing else", async () => {
        const blob = { blobId: "blob_x", generation: null, mimeType: "a/b", sizeBytes: 1, sha256: "00" };
        const shared = { ...blob, blobId: "blob_both", sizeBytes: 10 };
        await store.write(async (view) => {
          await view.putBlob(blob, NOW);
          await view.putBlob(shared, NOW);
          await view.putState(subject, "cin_1", { items: { page: 1 } }, NOW);
          await view.putConnection(subject, {
            connectionId: "cin_2",
            sourceId: declaration.source.id,
            displayName: "Two",
            createdAt: NOW,
          });
          const other = await view.openStream("cin_2", "items");
          const kept = { ...item("kept"), blobs: [{ blobId: "blob_both", field: "title" }] };
          await view.apply(other, [kept], { appendOnly: false, limitsOf: () => ({ time: null }), now: NOW });
        });
        await apply([{ ...item("a"), blobs: [{ blobId: "blob_x", field: "title" }] }, item("b")]);
        await apply([{ ...item("b", "moved"), blobs: [{ blobId: "blob_both", field: "title" }] }]);
        expect(await store.read((view) => view.ownBlobs("cin_1"))).toEqual({ count: 1, bytes: 1 });
        expect(await store.read((view) => view.ownBlobs("cin_2"))).toEqual({ count: 0, bytes: 0 });
        expect(await store.read((view) => view.blobUses("blob_x"))).toEqual([
          { streamNo, recordId: "a", field: "title" },
        ]);
        const result = await store.write((view) => view.deleteConnection("cin_1"));
        expect({ ...result, blobs: result.blobs.toSorted() }).toEqual({ live: 2, blobs: ["blob_both", "blob_x"] });
        expect(await store.read((view) => view.ownBlobs("cin_2"))).toEqual({ count: 1, bytes: 10 });
        await store.read(async (view) => {
          expect(await view.changes(streamNo, 0, 100, 100)).toEqual([]);
          expect(await view.feed(planOf({ fields: new Set(["id"]) }), 0, 100, 100)).toEqual([]);
          expect(await view.blobUses("blob_x")).toEqual([]);
          expect(await view.state(subject, "cin_1")).toEqual({ state: {}, updatedAt: null });
          expect((await view.streams(subject)).map((row) => row.connectionId)).toEqual(["cin_2"]);
          expect((await view.allChanges(0, 100, 100)).map((row) => row.id)).toEqual(["kept"]);
        });
        const again = await store.write(async (view) => {
          await view.putConnection(subject, {
            connectionId: "cin_3",
            sourceId: declaration.source.id,
            displayName: "Three",
            createdAt: NOW,
          });
          return view.openStream("cin_3", "items");
        });
        expect(again).toBeGreaterThan(streamNo);
      });
    });
  });
}
