// The store contract for searching the audit log: every filter returns the same result as checking each line.

import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { isDenial } from "../contract/errors.ts";
import type { AuditEntry, AuditQuery, AuditRow, Store } from "./store.ts";
import type { OpenedStore } from "./store-contract.fixture.ts";
import { NOW } from "./store-samples.fixture.ts";

const MINUTE = 60_000;
const some = <T>(...values: T[]) => fc.constantFrom(undefined, ...values);

const wanted = fc.record({
  grantId: some("grt_0", "grt_1", "gpkg_0"),
  clientId: some("cli_0", "cli_1", "cli_9"),
  actor: some<"owner" | "app">("owner", "app"),
  action: some("records", "search", "grants"),
  connectionId: some("cin_0", "cin_1"),
  stream: some("messages", "events", "secrets"),
  outcome: some<"ok" | "denied" | "failed">("ok", "denied", "failed"),
  requestId: some("req_3", "req_777", "req_none"),
  since: fc.option(fc.integer({ min: -2, max: 40 }), { nil: undefined }),
  until: fc.option(fc.integer({ min: -2, max: 40 }), { nil: undefined }),
  limit: fc.integer({ min: 1, max: 40 }),
});

type AuditListQuery = typeof wanted extends fc.Arbitrary<infer T> ? T : never;

/** A thousand calls over half an hour, some of which reached the log late. */
function calls(subject_id: string): AuditEntry[] {
  return Array.from({ length: 1000 }, (_, index): AuditEntry => {
    const at = NOW + Math.floor((index * 30 * MINUTE) / 1000) - (index % 97 === 0 ? 3 * MINUTE : 0);
    const base = { at, subject_id, records: index % 4, bytes: index, request_id: `req_${index % 900}` };
    if (index % 5 === 0) return { ...base, actor: "owner", action: "grants", outcome: "ok" };
    const client = { ...base, actor: "client" as const, client_id: `cli_${index % 3}`, grant_id: `grt_${index % 3}` };
    if (index % 7 === 0) {
      const asked = { stream: "secrets", connection_id: `cin_${index % 2}` };
      return { ...client, action: "records", outcome: "grant_stream_not_allowed", asked };
    }
    const read = { connection_id: `cin_${index % 2}`, stream: index < 500 ? "messages" : "events" };
    if (index % 11 === 0) {
      const { grant_id: _none, ...package_ } = client;
      return { ...package_, grant_package_id: "gpkg_0", action: "search", outcome: "ok", ...read };
    }
    return { ...client, action: index % 2 === 0 ? "records" : "search", outcome: "ok", ...read };
  });
}

const outcomeAs = (wanted: AuditQuery["outcome"], outcome: string): string => {
  if (outcome === "ok") return "ok";
  return wanted === "failed" ? "failed" : isDenial(outcome) ? "denied" : "another failure";
};

/** Applies the definition of a filter to a single line. */
function fits(row: AuditRow, query: AuditQuery): boolean {
  const said: [unknown, unknown][] = [
    [query.grantId, row.grant_id ?? row.grant_package_id],
    [query.clientId, row.client_id],
    [query.actor, row.actor === "owner" ? "owner" : "app"],
    [query.action, row.action],
    [query.connectionId, row.connection_id ?? row.asked?.connection_id],
    [query.stream, row.stream ?? row.asked?.stream],
    [query.outcome, outcomeAs(query.outcome, row.outcome)],
    [query.requestId, row.request_id],
  ];
  return (
    said.every(([asked, found]) => asked === undefined || asked === found) &&
    row.at >= (query.since ?? -Infinity) &&
    row.at < (query.until ?? Infinity)
  );
}

export function auditListContract(opened: () => OpenedStore): void {
  describe("audit log lines", () => {
    let store: Store;
    let all: AuditRow[];
    beforeEach(async () => {
      store = opened().store;
      const entries = calls(await store.read((view) => view.subject()));
      for (let from = 0; from < entries.length; from += 130) {
        await store.audit.append(entries.slice(from, from + 130));
        // Each list call moves collected lines into the log, so late lines come after earlier ones.
        await store.audit.list({ limit: 1 });
      }
      all = await pages({ limit: 1000 });
    });

    /** Returns all pages of a query. */
    async function pages(query: AuditQuery): Promise<AuditRow[]> {
      const rows: AuditRow[] = [];
      let before: number | undefined;
      do {
        const page = await store.audit.list({ ...query, ...(before === undefined ? {} : { before }) });
        expect(page.rows.length).toBeLessThanOrEqual(query.limit);
        rows.push(...page.rows);
        before = page.next;
      } while (before !== undefined);
      return rows;
    }

    it("P-08 are found by caller, action, connection, stream, outcome, request and time, alone and combined, page by page", async () => {
      expect(all.map(({ n }) => n)).toEqual(Array.from({ length: 1000 }, (_, index) => 1000 - index));
      expect(all.some((row, index) => index > 0 && row.at > all[index - 1]!.at)).toBe(true);
      const ask = async ({ since, until, ...rest }: AuditListQuery): Promise<void> => {
        const query: AuditQuery = {
          ...rest,
          ...(since === undefined ? {} : { since: NOW + since * MINUTE }),
          ...(until === undefined ? {} : { until: NOW + until * MINUTE }),
        };
        expect(await pages(query)).toEqual(all.filter((row) => fits(row, query)));
      };
      await fc.assert(fc.asyncProperty(wanted, ask), { numRuns: 120 });
    });

    it("P-08 are not found if nothing matches, and the log can still be verified", async () => {
      expect(await store.audit.list({ stream: "nowhere", limit: 5 })).toEqual({ rows: [] });
      expect(await store.audit.list({ since: NOW + 999 * MINUTE, limit: 5 })).toEqual({ rows: [] });
      expect(await store.audit.list({ until: NOW - 999 * MINUTE, limit: 5 })).toEqual({ rows: [] });
      expect(await store.audit.list({ before: 1, limit: 5 })).toEqual({ rows: [] });
      expect(await store.audit.verify()).toEqual({ entries: 1000 });
    });
  });
}
