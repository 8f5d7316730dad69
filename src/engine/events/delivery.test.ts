// F-06: retries, dead letters, disabling, pauses and clock changes, with a scripted receiver and a controlled clock.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Loose } from "../../../test/harness.ts";
import { declaration } from "../../../test/non-interference/world.ts";
import { EVENTS } from "../../contract/limits.ts";
import { openSqliteStore, prepareHome } from "../../store/sqlite/sqlite-store.ts";
import type { EngineHost } from "../host.ts";
import { localHost } from "../local-host.ts";
import { agreeable, deliver, look, type ReceiverReply } from "./receiver.fixture.ts";

const OWNER = { home: true } as const;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let home: string;
let host: EngineHost;
let now: number;
let connection_id: string;
let grant: Loose;
let id: string;

const call = (name: Parameters<EngineHost["call"]>[0], query: object = {}, credential: Loose = OWNER): Promise<Loose> =>
  host.call(name, query as never, credential);
const open = (): EngineHost => localHost(openSqliteStore(home), { home, persist: true, now: () => now });
const client = () => ({ token: grant.access_token });
const shown = (): Promise<Loose> => call("eventSubscription", { id });
const log = async (): Promise<Loose[]> => (await call("eventDeliveries", { id, limit: 100 })).data;
let written = 0;
async function write(stream = "items"): Promise<void> {
  const line = { key: `k${++written}`, data: { id: `k${written}`, title: "x" }, emitted_at: "2024-01-01T00:00:00Z" };
  await call("ingest", { stream, connection_id, text: JSON.stringify(line) });
}
const fails = (reply: ReceiverReply) => (): ReceiverReply => reply;

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), "postern-events-"));
  prepareHome(home);
  now = Date.parse("2026-03-01T00:00:00Z");
  host = open();
  await call("putConnector", { connector_key: "world", declaration });
  connection_id = (await call("createConnection", { connector_id: "world" })).connection_id;
  grant = await call("issueGrant", { selections: [{ connection_id }] });
  const made = await call("createSubscription", { url: "https://app.example.test/hook" }, client());
  id = made.subscription_id;
  await deliver(host);
  now += MINUTE;
});
afterEach(async () => {
  await host.close();
  rmSync(home, { recursive: true, force: true });
});

/** Advances the clock from attempt to attempt, and returns the time of each. */
async function triesUntil(end: number, reply: (event: Loose) => ReceiverReply): Promise<number[]> {
  const at: number[] = [];
  for (;;) {
    for (const _sent of await deliver(host, reply)) at.push(now);
    const { nextAt } = await call("dueEvents");
    now = Math.min(end, nextAt ?? end);
    if (now === end) return at;
  }
}

it("F-06 retries after 5 s, 30 s, 2 min … with the same id for a day; then keeps the event as a dead letter for replay", async () => {
  await write();
  await look(host);
  const begun = now;
  const ids = new Set<string>();
  const tries = await triesUntil(begun + 27 * HOUR, (event) => {
    ids.add(event.id);
    return { status: 500 };
  });
  expect(ids.size).toBe(1);
  const waits = tries.slice(1).map((at, index) => at - tries[index]!);
  for (const [index, wait] of waits.entries()) {
    const base = EVENTS.retriesMs[Math.min(index, EVENTS.retriesMs.length - 1)]!;
    expect(wait).toBeGreaterThanOrEqual(base * (1 - EVENTS.jitter));
    expect(wait).toBeLessThanOrEqual(base * (1 + EVENTS.jitter));
  }
  expect(tries.at(-1)! - begun).toBeGreaterThanOrEqual(DAY);
  expect(await shown()).toMatchObject({
    status: "active",
    waiting: 0,
    dead_letters: 1,
    last_failure: { error: "it responded with 500" },
  });
  const [dead] = await log();
  expect(dead).toMatchObject({ status: "failed", tries: tries.length, attempts: expect.any(Array) });
  expect(dead.attempts).toHaveLength(EVENTS.attemptsTold);
  // Another check finds nothing new. The event for the next change starts where the dead letter started.
  await look(host);
  expect(await deliver(host)).toEqual([]);
  await write();
  await look(host);
  const [next] = await deliver(host);
  const since = async (changes_since: string) =>
    (await call("records", { stream: "items", connection_id, changes_since }, client())).data.length;
  expect(await since(next.data.changes_since)).toBe(2);
  await call("replayEvents", { id, event_id: dead.event_id }, client());
  const [again] = await deliver(host);
  expect(again.id).toBe(dead.event_id);
  expect(await shown()).toMatchObject({ dead_letters: 0 });
  // Now everything has been reported.
  await look(host);
  expect(await deliver(host)).toEqual([]);
});

it("F-06 after a server was stopped for a week, pending events get one more attempt, whose failure is final", async () => {
  await write("items");
  await write("parents");
  await look(host);
  await deliver(host, fails({ error: "the connection was refused" }));
  await host.close();
  now += 7 * DAY;
  host = open();
  const sent = await deliver(host, ({ data }) => (data.stream === "items" ? { status: 204 } : { status: 500 }));
  expect(sent.map(({ data }) => data.stream).sort()).toEqual(["items", "parents"]);
  expect(await shown()).toMatchObject({ status: "active", waiting: 0, dead_letters: 1 });
});

it("F-06 setting the clock back does not postpone a retry forever", async () => {
  await write();
  await look(host);
  await triesUntil(now + 3 * HOUR, fails({ status: 500 }));
  expect((await shown()).waiting).toBe(1);
  now -= 10 * DAY;
  expect(await deliver(host)).toHaveLength(1);
});

it("F-06 a 410 response disables the subscription immediately and keeps pending events; reactivating it verifies the address again", async () => {
  await write();
  await look(host);
  expect(await deliver(host, fails({ status: 410 }))).toHaveLength(1);
  expect(await shown()).toMatchObject({ status: "disabled", reason: { code: "gone" }, waiting: 1 });
  now += HOUR;
  await write();
  await look(host);
  expect(await deliver(host)).toEqual([]);
  expect(await call("changeSubscription", { id, status: "active" }, client())).toMatchObject({ status: "pending" });
  const sent = await deliver(host);
  expect(sent.map(({ type }) => type)).toEqual(["dev.pdpp.subscription.challenge", "dev.pdpp.stream.changed"]);
  expect(await shown()).toMatchObject({ status: "active", waiting: 0 });
});

it("F-06 after 429 and 503, retries at the time that the receiver requests, but never later than the longest wait", async () => {
  await write();
  await look(host);
  const begun = now;
  await deliver(host, fails({ status: 503, retry_after_seconds: 600 }));
  expect(await triesUntil(begun + 9 * MINUTE, agreeable)).toEqual([]);
  now = begun + 10 * MINUTE;
  await deliver(host, fails({ status: 429, retry_after_seconds: 10 * 24 * 3600 }));
  now += 3 * HOUR;
  expect(await deliver(host)).toHaveLength(1);
  // Retry-After is ignored for other statuses.
  await write();
  await look(host);
  await deliver(host, fails({ status: 500, retry_after_seconds: 3600 }));
  now += 7000;
  expect(await deliver(host)).toHaveLength(1);
});

it("F-06 after a week of failures without a success, the subscription is disabled and shows the reason", async () => {
  const statuses: string[] = [];
  for (let day = 0; day < 9; day++) {
    await write();
    await look(host);
    await triesUntil(now + DAY, fails({ error: "the connection was refused" }));
    statuses.push((await shown()).status);
  }
  expect(statuses.slice(0, 7)).toEqual(Array(7).fill("active"));
  expect(statuses.at(-1)).toBe("disabled");
  expect((await shown()).reason).toMatchObject({ code: "failing", message: expect.stringContaining("7 days") });
});

it("F-06 a paused subscription is sent nothing and loses nothing", async () => {
  await write();
  await look(host);
  await call("changeSubscription", { id, status: "paused" }, client());
  await write("parents");
  await look(host);
  now += DAY;
  expect(await deliver(host)).toEqual([]);
  await call("changeSubscription", { id, status: "active" }, client());
  await look(host);
  expect((await deliver(host)).map(({ data }) => data.stream).sort()).toEqual(["items", "parents"]);
});

it("F-06 a challenge is retried a few times, then only on request; nothing else is sent until it succeeds", async () => {
  await call("changeSubscription", { id, url: "https://other.example.test/hook" }, client());
  await write();
  await look(host);
  const tries = await triesUntil(now + DAY, fails({ status: 200, answer: "{}" }));
  expect(tries).toHaveLength(EVENTS.challengeTries);
  expect(await shown()).toMatchObject({ status: "pending", waiting: 0 });
  await expect(call("testSubscription", { id }, client())).rejects.toMatchObject({ code: "invalid_request" });
  await call("verifySubscription", { id }, client());
  expect(await deliver(host)).toHaveLength(1);
  await look(host);
  expect(await deliver(host)).toHaveLength(1);
});

it("F-06 when a grant expires, its subscription ends: pending events are not sent, and its secrets are deleted", async () => {
  const brief = await call("issueGrant", { selections: [{ connection_id }], expires_in_seconds: 3600 });
  const made = await call("createSubscription", { url: "https://brief.example.test/" }, { token: brief.access_token });
  await deliver(host);
  await write();
  await look(host);
  await deliver(host, fails({ status: 500 }));
  now += HOUR;
  const sent = await deliver(host);
  expect(sent.map(({ data }) => data.grant_id)).toEqual([grant.grant_id]);
  await look(host);
  const ended = await call("eventSubscription", { id: made.subscription_id });
  expect(ended).toMatchObject({ status: "ended", reason: { code: "grant_ended" }, waiting: 0 });
  now += 31 * DAY;
  await call("endSubscriptions");
  await expect(call("eventSubscription", { id: made.subscription_id })).rejects.toMatchObject({ code: "not_found" });
});

it("V-12 F-06 the owner can undo a deletion within a minute; after that, and for apps, it is final", async () => {
  await write();
  await look(host);
  await call("deleteSubscription", { id });
  await expect(shown()).rejects.toMatchObject({ code: "not_found" });
  expect(await deliver(host)).toEqual([]);
  await write();
  now += MINUTE;
  await expect(call("restoreSubscription", { id }, client())).rejects.toMatchObject({ code: "insufficient_scope" });
  expect(await call("restoreSubscription", { id })).toMatchObject({ status: "active", waiting: 1 });
  expect((await deliver(host)).map(({ type }) => type)).toEqual(["dev.pdpp.stream.changed"]);
  const remembered = await log();
  expect(remembered.map(({ status }) => status)).toEqual(["delivered", "delivered"]);

  await call("deleteSubscription", { id });
  now += MINUTE + 1;
  await expect(call("restoreSubscription", { id })).rejects.toMatchObject({ code: "invalid_request" });
  expect((await call("lookForChanges")).ended).toEqual([id]);
  await look(host);
  expect((await call("lookForChanges")).ended).toEqual([]);

  const own = await call("createSubscription", { url: "https://app.example.test/hook" }, client());
  await call("deleteSubscription", { id: own.subscription_id }, client());
  await expect(call("restoreSubscription", { id: own.subscription_id })).rejects.toMatchObject({
    code: "invalid_request",
  });
});

it("F-06 the log and the dead letters are bounded, each with its own limit", async () => {
  await write("parents");
  await look(host);
  // A day, plus the longest wait after it.
  await triesUntil(now + 27 * HOUR, fails({ status: 500 }));
  for (let n = 0; n < EVENTS.remembered + 20; n++) {
    await write();
    await look(host);
    await deliver(host);
    now += 1000;
  }
  const delivered = await call("eventDeliveries", { id, limit: 100, status: "delivered" }, client());
  expect([delivered.data.length, delivered.has_more]).toEqual([EVENTS.remembered, false]);
  expect(await shown()).toMatchObject({ dead_letters: 1 });
  now += 31 * DAY;
  await write();
  await look(host);
  await deliver(host);
  expect((await log()).map(({ status }) => status)).toEqual(["delivered"]);
});

it("F-06 skips many hidden changes in bounded steps, and only once", async () => {
  await call("deleteSubscription", { id }, client());
  const narrow = await call("issueGrant", { selections: [{ connection_id, stream: "items", resources: ["none"] }] });
  const made = await call("createSubscription", { url: "https://n.example.test/" }, { token: narrow.access_token });
  await deliver(host);
  for (let n = 0; n < 12; n++) {
    const lines = Array.from({ length: 1000 }, (_, at) =>
      JSON.stringify({ key: `m${n}-${at}`, data: { id: `m${n}-${at}` }, emitted_at: "2024-01-01T00:00:00Z" }),
    );
    await call("ingest", { stream: "items", connection_id, text: lines.join("\n") });
  }
  const first = await call("lookForChanges");
  expect([first.more, first.findings.length]).toEqual([true, 1]);
  await look(host);
  const after = await call("lookForChanges");
  expect(after).toEqual({ findings: [], ended: [], more: false });
  expect((await call("eventSubscription", { id: made.subscription_id })).waiting).toBe(0);
});

it("F-06 many subscriptions that each skip a few hidden changes all catch up", async () => {
  await call("deleteSubscription", { id }, client());
  for (let n = 0; n < 2; n++) {
    const narrow = await call("issueGrant", { selections: [{ connection_id, stream: "items", resources: ["none"] }] });
    for (let made = 0; made < 15; made++)
      await call("createSubscription", { url: "https://n.example.test/" }, { token: narrow.access_token });
  }
  await deliver(host);
  const lines = Array.from({ length: 200 }, (_, at) =>
    JSON.stringify({ key: `m${at}`, data: { id: `m${at}` }, emitted_at: "2024-01-01T00:00:00Z" }),
  );
  await call("ingest", { stream: "items", connection_id, text: lines.join("\n") });
  expect((await call("lookForChanges")).more).toBe(true);
  await look(host);
  expect((await call("lookForChanges")).more).toBe(false);
});
