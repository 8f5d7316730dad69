// G-09: a private address is allowed for one app, host and port, and an app learns only whether an event was delivered.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Loose } from "../../../test/harness.ts";
import { declaration } from "../../../test/non-interference/world.ts";
import { EVENTS } from "../../contract/limits.ts";
import { openSqliteStore, prepareHome } from "../../store/sqlite/sqlite-store.ts";
import type { Store } from "../../store/store.ts";
import type { EngineHost } from "../host.ts";
import { localHost } from "../local-host.ts";
import { deliver, look, type ReceiverReply } from "./receiver.fixture.ts";

const OWNER = { home: true } as const;
const ADDRESS = "127.0.0.1:8123";
const HOOK = `http://${ADDRESS}/hook`;

let home: string;
let host: EngineHost;
let store: Store;
let now: number;
let connection_id: string;

const call = (
  method: Parameters<EngineHost["call"]>[0],
  query: object = {},
  credential: Loose = OWNER,
): Promise<Loose> => host.call(method, query as never, credential);
const newApp = async (): Promise<Loose> => {
  const { access_token, grants } = await call("issueGrant", { selections: [{ connection_id }] });
  return { clientId: grants[0].client.client_id, as: { token: access_token } };
};
const allow = (app: Loose, address = ADDRESS) => call("allowEventHost", { host: address, client_id: app.clientId });
const subscribe = (app: Loose, url = HOOK) => call("createSubscription", { url }, app.as);
/** For each address with a due event, whether the owner allowed it. */
async function sendings(): Promise<Record<string, boolean>> {
  const allowed: Record<string, boolean> = {};
  await deliver(host, (_event, sending) => {
    allowed[sending.url] = sending.allowed;
    return { error: "not sent in this test" };
  });
  return allowed;
}

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), "postern-private-addresses-"));
  prepareHome(home);
  now = Date.parse("2026-03-01T00:00:00Z");
  store = openSqliteStore(home);
  host = localHost(store, { home, persist: true, now: () => now });
  await call("putConnector", { connector_key: "world", declaration });
  connection_id = (await call("createConnection", { connector_id: "world" })).connection_id;
});
afterEach(async () => {
  await host.close();
  rmSync(home, { recursive: true, force: true });
});

describe("G-09 a private address", () => {
  it("G-09 allowed for one app is refused to another app", async () => {
    const [mine, theirs] = [await newApp(), await newApp()];
    await allow(mine);
    expect(await subscribe(mine)).toMatchObject({ status: "pending", url: HOOK });
    await expect(subscribe(theirs)).rejects.toMatchObject({ code: "invalid_request", details: { param: "url" } });
    const public_ = await subscribe(theirs, "https://app.example.test/hook");
    const moved = call("changeSubscription", { id: public_.subscription_id, url: HOOK }, theirs.as);
    await expect(moved).rejects.toMatchObject({ code: "invalid_request", details: { param: "url" } });
    expect(await sendings()).toEqual({ [HOOK]: true, "https://app.example.test/hook": false });
  });

  it("G-09 is allowed on one port only", async () => {
    const app = await newApp();
    await allow(app);
    for (const url of ["http://127.0.0.1:8124/hook", "http://127.0.0.1/hook", "https://127.0.0.1/hook"])
      await expect(subscribe(app, url)).rejects.toMatchObject({ code: "invalid_request", details: { param: "url" } });
    await expect(allow(app, "127.0.0.1")).rejects.toMatchObject({
      code: "invalid_request",
      details: { param: "host" },
    });
    await expect(allow({ clientId: "cli_none" })).rejects.toMatchObject({
      code: "not_found",
      details: { param: "client_id" },
    });
  });

  it("G-09 is refused again once the owner disallows it", async () => {
    const app = await newApp();
    await allow(app);
    await subscribe(app);
    await call("disallowEventHost", { host: ADDRESS, client_id: app.clientId });
    expect(await sendings()).toEqual({ [HOOK]: false });
    await expect(subscribe(app)).rejects.toMatchObject({ code: "invalid_request" });
  });

  it("G-09 allowed for every app by version 0.1 stays allowed for the subscriptions that use it, and for no others", async () => {
    const [mine, theirs] = [await newApp(), await newApp()];
    await allow(mine);
    await subscribe(mine);
    const subject = await store.read((view) => view.subject());
    await store.write(async (view) => {
      await view.deleteItem(subject, "event-address", `${ADDRESS} ${mine.clientId}`);
      for (const id of ["127.0.0.1", "nas.example.test", "10.0.0.7:80"])
        await view.putItem(subject, { kind: "event-host", id, holder: null, createdAt: now, dueAt: null, body: {} });
    });
    const listed = async () => (await call("eventHosts")).data.map((one: Loose) => [one.host, one.client_id]);
    expect(await listed()).toEqual([[ADDRESS, mine.clientId]]);
    await expect(subscribe(theirs)).rejects.toMatchObject({ code: "invalid_request" });
    // A public name needs no permission, but a new subscription must not inherit the old permission.
    await subscribe(theirs, "https://nas.example.test/hook");
    expect(await sendings()).toEqual({ [HOOK]: true, "https://nas.example.test/hook": false });
    expect(await listed()).toEqual([[ADDRESS, mine.clientId]]);
    expect(await store.read((view) => view.items(subject, "event-host"))).toEqual([]);
  });
});

const FAILURES: [string, ReceiverReply & { milliseconds: number }][] = [
  ["a refused connection", { error: "the connection was refused", milliseconds: 1 }],
  ["a 500", { status: 500, milliseconds: 40 }],
  ["a 410", { status: 410, milliseconds: 40 }],
  ["a 200 with the wrong challenge", { status: 200, answer: "{}", milliseconds: 60 }],
  ["a time-out", { error: "no response in 10 s", milliseconds: EVENTS.timeoutMs }],
];

/** Everything that an app can read about its subscription, except values that differ between any two subscriptions. */
async function views(app: Loose, id: string): Promise<string> {
  const read = [
    await call("eventSubscription", { id }, app.as),
    await call("eventSubscriptions", {}, app.as),
    await call("eventDeliveries", { id }, app.as),
    await call("eventDeliveries", { id, status: "failed" }, app.as),
    await call("eventDeliveries", { id, status: "waiting" }, app.as),
  ];
  return JSON.stringify(read, null, 1).replaceAll(/\b(sub|evt|grt|cli)_[\w-]+/g, "$1");
}

describe("G-09 an app's view of a failure", () => {
  /** The app's view at several moments while every attempt fails with this response. */
  async function course(
    reply: ReceiverReply & { milliseconds: number },
    moments: readonly number[],
  ): Promise<string[]> {
    const begun = now;
    const app = await newApp();
    await allow(app);
    const { subscription_id: id } = await subscribe(app);
    const seen: string[] = [];
    for (const moment of moments) {
      for (;;) {
        const { due, nextAt } = await call("dueEvents");
        const start = due.length > 0 ? now : nextAt;
        if (start === undefined || start + reply.milliseconds > begun + moment) break;
        now = start;
        await deliver(host, () => {
          now += reply.milliseconds;
          return reply;
        });
      }
      now = begun + moment;
      seen.push(await views(app, id));
    }
    const verified = await call("verifySubscription", { id }, app.as);
    seen.push(JSON.stringify({ ...verified, event_id: "evt", subscription_id: "sub" }));
    // The owner sees the actual error.
    expect((await call("eventSubscription", { id })).last_failure.error).toBeTypeOf("string");
    expect((await call("eventDeliveries", { id })).data.at(-1).attempts.at(-1).error).toBeTypeOf("string");
    await call("deleteSubscription", { id });
    now = begun;
    return seen;
  }

  it("G-09 is the same for a refused connection, a 500, a 410, a wrong challenge and a timeout", async () => {
    const SECOND = 1000;
    const moments = [1, 11, 60, 600, 800, 1100].map((seconds) => seconds * SECOND);
    const first = await course(FAILURES[0]![1], moments);
    for (const [name, reply] of FAILURES.slice(1)) expect(await course(reply, moments), name).toEqual(first);
    expect(first.join("\n")).not.toMatch(/refused|answered|no answer|repeat|tries|attempts|last_failure|next_try/);
    // In the end the app does learn that nothing was delivered.
    expect(JSON.parse(first.at(-2)!)[3].data).toMatchObject([{ status: "failed" }]);
  });

  it("G-09 is the same throughout a test event, whatever the failure; the owner sees the result of each attempt", async () => {
    const seen: string[][] = [];
    for (const [, reply] of FAILURES.filter(([name]) => !name.includes("410"))) {
      const app = await newApp();
      await allow(app);
      const { subscription_id: id } = await subscribe(app);
      await deliver(host);
      now += 1;
      const begun = now;
      await call("testSubscription", { id }, app.as);
      await deliver(host, () => {
        now += reply.milliseconds;
        return reply.answer === undefined ? reply : { ...reply, status: 302 };
      });
      now = begun + EVENTS.timeoutMs;
      const before = await views(app, id);
      now = begun + EVENTS.timeoutMs + 2000;
      seen.push(
        [before, await views(app, id)].map((text) =>
          text.replaceAll(/"(created|verified|last_delivered)_at": "[^"]+"/g, ""),
        ),
      );
      now = begun - 1;
      await call("deleteSubscription", { id });
    }
    for (const one of seen) expect(one).toEqual(seen[0]);
    expect(seen[0]![0]).not.toContain('"status": "failed"');
    expect(seen[0]![1]).toContain('"status": "failed"');
  });

  it("G-09 says only that its address did not accept events, if the subscription was disabled", async () => {
    const app = await newApp();
    await allow(app);
    const { subscription_id: id } = await subscribe(app);
    await deliver(host);
    const line = { key: "k", data: { id: "k", title: "x" }, emitted_at: "2024-01-01T00:00:00Z" };
    await call("ingest", { stream: "items", connection_id, text: JSON.stringify(line) });
    await look(host);
    await deliver(host, () => ({ status: 410 }));
    expect(await call("eventSubscription", { id }, app.as)).toMatchObject({
      status: "disabled",
      reason: { code: "failing", message: "its address did not accept events" },
    });
    expect(await call("eventSubscription", { id })).toMatchObject({ reason: { code: "gone" } });
  });
});
