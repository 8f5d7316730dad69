// The store contract for everything except records: connector state, jobs, items, segments and the audit log.
import { beforeEach, describe, expect, it } from "vitest";
import type { ItemRow } from "./rows.ts";
import type { AuditEntry, Awaitable, ReadView, Store } from "./store.ts";
import type { OpenedStore } from "./store-contract.fixture.ts";
import { NOW } from "./store-samples.fixture.ts";

const NO_STREAM = { connectionId: "", stream: "", denied: 0 };

export function keepingContract(opened: () => OpenedStore): void {
  describe("data besides records", () => {
    let store: Store;
    let subject: string;
    beforeEach(async () => {
      store = opened().store;
      subject = await store.read((view) => view.subject());
    });

    it("state is stored per stream, and new state is merged into it", async () => {
      const put = (state: Record<string, number | null>, now: number) =>
        store.write((view) => view.putState(subject, "cin_1", state, now));
      await put({ a: 1, b: 2 }, 10);
      await put({ b: null }, 20);
      expect(await store.read((view) => view.state(subject, "cin_1"))).toEqual({
        state: { a: 1, b: null },
        updatedAt: 20,
      });
    });

    it("jobs are stored, updated and deleted, each under its subject", async () => {
      const job = {
        jobId: "job_1",
        kind: "import",
        status: "queued" as "queued" | "succeeded",
        holder: "grt_1" as string | null,
        request: { stream: "notes" },
        startedAt: 1,
        updatedAt: 1,
        progress: { done: 1 },
        expiresAt: null as number | null,
      };
      const later = { ...job, status: "succeeded" as const, updatedAt: 2, progress: { done: 2 }, expiresAt: 9 };
      const owners = { ...job, jobId: "job_2", holder: null, startedAt: 2 };
      await store.write((view) => view.putJob(subject, job));
      await store.write((view) => view.putJob(subject, { ...later, holder: "grt_other", request: null }));
      await store.write((view) => view.putJob(subject, owners));
      expect(await store.read((view) => view.jobs(subject))).toEqual([owners, later]);
      expect(await store.read((view) => view.job(subject, "job_1"))).toEqual(later);
      expect(await store.read((view) => view.job("sub_own_other", "job_1"))).toBeUndefined();
      await store.write((view) => view.deleteJob("sub_own_other", "job_1"));
      await store.write((view) => view.deleteJob(subject, "job_2"));
      expect(await store.read((view) => view.jobs(subject))).toEqual([later]);
    });

    it("items are stored, updated, found by id, holder and due time, and deleted, each under its subject", async () => {
      const item = (id: string, createdAt: number, dueAt: number | null, holder: string | null = null): ItemRow => ({
        kind: "watch",
        id,
        holder,
        createdAt,
        dueAt,
        body: { id, deep: [1, null, "ü"] },
      });
      const [a, b, c] = [item("a", 1, 50, "grt_1"), item("b", 2, 40, "grt_1"), item("c", 2, null)];
      await store.write(async (view) => {
        for (const one of [a, b, c]) await view.putItem(subject, one);
        await view.putItem(subject, { ...a, kind: "other", dueAt: 1 });
        await view.putItem("sub_own_other", { ...a, dueAt: 1 });
      });
      const read = <T>(work: (view: ReadView) => Awaitable<T>): Promise<T> => store.read(work);
      expect(await read((view) => view.item(subject, "watch", "a"))).toEqual(a);
      expect(await read((view) => view.item(subject, "watch", "none"))).toBeUndefined();
      expect(await read((view) => view.items(subject, "watch"))).toEqual([c, b, a]);
      expect(await read((view) => view.items(subject, "watch", { limit: 1 }))).toEqual([c]);
      expect(await read((view) => view.items(subject, "watch", { holder: "grt_1" }))).toEqual([b, a]);
      expect(await read((view) => view.items(subject, "watch", { holder: "grt_1", limit: 1 }))).toEqual([b]);
      expect(await read((view) => view.dueItems(subject, "watch", 50, 9))).toEqual([b, a]);
      expect(await read((view) => view.dueItems(subject, "watch", 49, 9))).toEqual([b]);
      expect(await read((view) => view.dueItems(subject, "watch", 50, 1))).toEqual([b]);
      const later = { ...a, holder: null, dueAt: null, body: "later" };
      await store.write((view) => view.putItem(subject, { ...later, createdAt: 99 }));
      expect(await read((view) => view.item(subject, "watch", "a"))).toEqual(later);
      await store.write((view) => view.deleteItems(subject, "watch", "grt_1"));
      await store.write((view) => view.deleteItem(subject, "watch", "c"));
      expect(await read((view) => view.items(subject, "watch"))).toEqual([later]);
      expect(await read((view) => view.items(subject, "other"))).toHaveLength(1);
      expect(await read((view) => view.items("sub_own_other", "watch"))).toHaveLength(1);
    });

    it("segments are saved as a whole, read part by part, and replaced only if the manifest is the expected one", async () => {
      const bytes = Uint8Array.of(1, 2, 3);
      const { segments } = store;
      const save = (manifest: string, expected: string | undefined) =>
        segments.save("kind", 7, {
          manifest,
          drop: [],
          put: [{ seq: 1, part: manifest, bytes }],
          expected: { manifest: expected },
        });
      expect(await save("m1", undefined)).toBe(true);
      expect(await save("m2", "other")).toBe(false);
      expect(await segments.manifest("kind", 7)).toBe("m1");
      expect(Array.from((await segments.part("kind", 7, 1, "m1"))!)).toEqual([1, 2, 3]);
      expect(await segments.part("kind", 7, 1, "m2")).toBeUndefined();
      expect(await segments.manifest("kind", 8)).toBeUndefined();
      await segments.save("kind", 7, { manifest: "m3", drop: [{ seq: 1 }], put: [] });
      expect(await segments.part("kind", 7, 1, "m1")).toBeUndefined();
      await segments.prune("kind", new Set([8]));
      expect(await segments.manifest("kind", 7)).toBeUndefined();
    });

    it("T-07 others can read, write and append while the audit log is verified, and their new lines are verified too", async () => {
      const line = (n: number): AuditEntry => ({
        at: NOW + n,
        subject_id: subject,
        actor: "client",
        action: "records",
        records: 1,
        bytes: 1,
        outcome: "ok",
        request_id: `req_${n}`,
      });
      await store.audit.append(Array.from({ length: 4500 }, (_, n) => line(n)));
      const order: string[] = [];
      const verified = await store.audit.verify({
        async onProgress({ entries, of }) {
          order.push(`${entries} of ${of}`);
          if (order.length > 1) return;
          await store.read((view) => view.version());
          await store.write((view) => view.putState(subject, "cin_1", { a: 1 }, 10));
          await store.audit.append([line(5000)]);
          await store.audit.list({ limit: 1 });
          order.push("others answered");
        },
      });
      expect(verified).toEqual({ entries: 4501 });
      expect(order).toEqual(["2000 of 4500", "others answered", "4000 of 4501", "4501 of 4501"]);
      const stopped = store.audit.verify({ signal: AbortSignal.abort(new Error("stop")) });
      await expect(stopped).rejects.toThrow("stop");
      expect(await store.audit.verify()).toEqual({ entries: 4501 });
    });

    it("the audit log numbers its entries, lists them newest first and by grant, and can be verified", async () => {
      const entries = Array.from(
        { length: 5 },
        (_, n): AuditEntry => ({
          at: NOW + n,
          subject_id: subject,
          actor: "client",
          grant_id: n % 2 === 0 ? "grt_1" : "grt_2",
          action: "records",
          records: n,
          bytes: n,
          outcome: "ok",
          request_id: `req_${n}`,
        }),
      );
      await store.audit.append(entries.slice(0, 3));
      const other = await opened().another();
      await other.audit.append(entries.slice(3));
      expect((await store.audit.list({ limit: 10 })).rows.map(({ n, records }) => [n, records])).toEqual([
        [5, 4],
        [4, 3],
        [3, 2],
        [2, 1],
        [1, 0],
      ]);
      expect((await store.audit.list({ limit: 1, before: 4 })).rows.map(({ n }) => n)).toEqual([3]);
      const ofGrant = await other.audit.list({ limit: 10, grantId: "grt_2" });
      expect(ofGrant.rows.map(({ records }) => records)).toEqual([3, 1]);
      const uses = await store.audit.uses(["grt_1", "grt_2", "grt_3"], 2);
      expect([...uses].map(([id, { totals, recent }]) => [id, totals, recent.map(({ n }) => n)])).toEqual([
        ["grt_1", [{ ...NO_STREAM, calls: 3, records: 6, bytes: 6, usedAt: NOW + 4 }], [5, 3]],
        ["grt_2", [{ ...NO_STREAM, calls: 2, records: 4, bytes: 4, usedAt: NOW + 3 }], [4, 2]],
        ["grt_3", [], []],
      ]);
      expect(await other.audit.verify()).toEqual({ entries: 5 });
      await other.close();
    });
  });
}
