// F-06: an app subscribes under its grant and gets signed events, at least once, about changes that the grant shows.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ID_PREFIX } from "../../src/contract/ids.ts";
import { EVENTS } from "../../src/contract/limits.ts";
import { type Loose, ON_FILES, type TestServer, testServer } from "../harness.ts";
import { book, library } from "../library.ts";
import { allowFor, type Receiver, repeatChallenge, startReceiver, subscribed, until, verified } from "./receiver.ts";

const PATH = "/v1/event-subscriptions";
let server: TestServer;
let connection: string;
let receiver: Receiver;

beforeAll(async () => {
  server = await testServer({ events: { probeMs: 20 } });
  await server.register("library", library);
  connection = await server.connect("library");
  await server.ingest("books", connection, [book("b0", { title: "First", secret: "x" })]);
});
afterAll(() => server.close());
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

const grant = (selection: object = {}): Promise<Loose> =>
  server.grant({ selections: [{ connection_id: connection, stream: "books", ...selection }] });
const ask = (method: string, path: string, token: string, body?: object) =>
  server.call(method, PATH + path, { token, ...(body === undefined ? {} : { body }) });
const one = async (token: string, id: string): Promise<Loose> => (await ask("GET", `/${id}`, token)).body;
const log = async (token: string, id: string): Promise<Loose[]> =>
  (await ask("GET", `/${id}/deliveries`, token)).body.data;
let written = 0;
const write = (data: object = {}): Promise<Loose> =>
  server.ingest("books", connection, [book(`w${++written}`, { title: `Written ${written}`, ...data })]);

describe("F-06 an event subscription", () => {
  it("F-06 is verified with a challenge, then gets events signed according to Standard Webhooks, each with a token for reading the changes", async () => {
    const app = await grant();
    const { access_token: token, grant_id } = app;
    await allowFor(server, app, receiver);
    const made = await ask("POST", "", token, { url: receiver.url });
    expect(made.status).toBe(201);
    const { subscription_id: id, secret, ...shown } = made.body;
    expect([id.startsWith(ID_PREFIX.subscription), secret]).toEqual([true, expect.stringMatching(/^whsec_\S{40,}$/)]);
    expect(shown).toMatchObject({
      object: "event_subscription",
      status: "pending",
      grant_id,
      url: receiver.url,
      waiting: 1,
    });
    const active = await until(
      () => one(token, id),
      ({ status }) => status === "active",
    );
    expect(active).toMatchObject({ status: "active", waiting: 0, verified_at: expect.any(String) });
    expect(active).not.toHaveProperty("secret");
    expect(receiver.deliveries.map(({ event }) => event.type)).toEqual(["dev.pdpp.subscription.challenge"]);

    await write({ title: "Told" });
    const delivery = await until(() => receiver.deliveries[1]);
    const event = verified(secret, delivery!);
    expect(delivery!.headers).toMatchObject({
      "content-type": "application/cloudevents+json; charset=utf-8",
      "webhook-id": event.id,
    });
    expect(event).toEqual({
      specversion: "1.0",
      id: expect.stringMatching(/^evt_/),
      source: server.url,
      type: "dev.pdpp.stream.changed",
      subject: `${connection}/books`,
      time: expect.any(String),
      datacontenttype: "application/json",
      data: {
        subscription_id: id,
        grant_id,
        connection_id: connection,
        stream: "books",
        changes_since: expect.any(String),
        records_url: expect.stringContaining(`${server.url}/v1/streams/books/records?connection_id=${connection}`),
      },
    });
    const changed = await server.get(event.data.records_url.slice(server.url.length), { token });
    expect(changed.body.data.map(({ data }: Loose) => data.title)).toEqual(["Told"]);
    // The token is bound to the grant, so the owner and other grants cannot use it.
    expect((await server.get(event.data.records_url.slice(server.url.length))).body.error.code).toBe("invalid_cursor");
    const kept = await until(
      () => log(token, id),
      ([first]) => first?.status === "delivered",
    );
    expect(kept.map(({ event_id, type, status }) => [event_id, type, status])).toEqual([
      [event.id, "dev.pdpp.stream.changed", "delivered"],
      [receiver.deliveries[0]!.event.id, "dev.pdpp.subscription.challenge", "delivered"],
    ]);
  });

  it("F-06 gets no event about changes that its grant hides, or about streams that it did not select", async () => {
    const narrow = await grant({ fields: ["id", "title"] });
    const wide = await server.grant({ selections: [{ connection_id: connection }] });
    await subscribed(server, narrow, receiver);
    const other = await startReceiver();
    await subscribed(server, wide, other, { streams: [{ stream: "authors" }] });
    await server.ingest("books", connection, [book("b0", { title: "First", secret: "another" })]);
    await server.ingest("authors", connection, [{ key: "a1", data: { id: "a1", name: "Ada" } }]);
    const event = await until(() => other.events[0]);
    expect(event.data.stream).toBe("authors");
    await write();
    const told = await until(() => receiver.events[0]);
    const changed = await server.get("/v1/streams/books/records", {
      token: narrow.access_token,
      query: { connection_id: connection, changes_since: told.data.changes_since },
    });
    // If the hidden change had caused an event, the visible change would be the second event.
    expect(changed.body.data).toHaveLength(1);
    expect([receiver.events.length, other.events.length]).toEqual([1, 1]);
    await other.close();
  });

  it("F-06 ends with its grant: nothing is sent afterwards, not even deliveries that are pending or in progress", async () => {
    const app = await grant();
    const { access_token: token, grant_id } = app;
    const { id } = await subscribed(server, app, receiver);
    const cut: boolean[] = [];
    receiver.answer = (_delivery, response) => void response.on("close", () => cut.push(response.writableFinished));
    await write();
    await until(() => receiver.events.length === 1);
    const revoked = await server.call("POST", `/v1/grants/${grant_id}/revoke`);
    expect(revoked.status).toBe(200);
    await until(() => cut.length === 1);
    expect(cut).toEqual([false]);
    expect((await ask("GET", `/${id}`, token)).body.error.code).toBe("grant_revoked");
    const ended = await one(server.owner, id);
    expect(ended).toMatchObject({ status: "ended", reason: { code: "grant_ended" }, waiting: 0 });
    receiver.answer = repeatChallenge;
    await write();
    const other = await grant();
    const second = await startReceiver();
    await subscribed(server, other, second);
    await write();
    await until(() => second.events.length === 1);
    expect(receiver.events).toHaveLength(1);
    for (const action of ["verify", "test-event", "rotate-secret"])
      expect((await ask("POST", `/${id}/${action}`, server.owner)).body.error.code).toBe("grant_invalid");
    expect((await ask("DELETE", `/${id}`, server.owner)).status).toBe(204);
    await second.close();
  });

  it("F-06 works for a package as it does for a grant, and loses only the streams of a revoked child grant", async () => {
    const spare = await server.connect("library", "Spare");
    const bundle = await server.grant({
      selections: [
        { connection_id: connection, stream: "books" },
        { connection_id: spare, stream: "books" },
      ],
    });
    const { id } = await subscribed(server, bundle, receiver);
    expect(await one(bundle.access_token, id)).toMatchObject({ grant_package_id: bundle.grant_package_id });
    const ofSpare = bundle.grants.find(({ streams }: Loose) => streams[0].instance_ids[0] === spare).grant_id;
    await server.call("POST", `/v1/grants/${ofSpare}/revoke`);
    await server.ingest("books", spare, [book("s1", { title: "Unseen" })]);
    await write();
    await until(() => receiver.events.length === 1);
    expect(receiver.events[0].data.connection_id).toBe(connection);
    expect((await one(bundle.access_token, id)).status).toBe("active");
  });

  it("F-06 while a stream has a pending event, no second event is created; the first covers later changes", async () => {
    const app = await grant();
    const { access_token: token } = app;
    const { id } = await subscribed(server, app, receiver);
    let open: () => void = () => undefined;
    receiver.answer = (_delivery, response) => {
      open = () => response.writeHead(204).end();
    };
    await write({ title: "one" });
    await until(() => receiver.events.length === 1);
    // The receiver may already have read the changes during the delivery, so a later change needs another event.
    await write({ title: "two" });
    await write({ title: "three" });
    expect((await one(token, id)).waiting).toBe(1);
    receiver.answer = repeatChallenge;
    open();
    await until(() => receiver.events.length === 2);
    const [first, second] = receiver.events;
    const titles = async (since: string) =>
      (
        await server.get("/v1/streams/books/records", {
          token,
          query: { connection_id: connection, changes_since: since },
        })
      ).body.data.map(({ data }: Loose) => data.title);
    expect(await titles(first.data.changes_since)).toEqual(["one", "two", "three"]);
    expect(await titles(second.data.changes_since)).toEqual(["two", "three"]);
    expect(first.id).not.toBe(second.id);
  });

  it("F-06 can be paused, resumed, tested and replayed under the same id; while its secret is rotated, events are signed with both secrets", async () => {
    const app = await grant();
    const { access_token: token } = app;
    const { id, secret } = await subscribed(server, app, receiver);
    expect((await ask("PATCH", `/${id}`, token, { status: "paused" })).body.status).toBe("paused");
    await write();
    expect((await ask("POST", `/${id}/test-event`, token)).body.error.code).toBe("invalid_request");
    const rotated = (await ask("POST", `/${id}/rotate-secret`, token)).body;
    expect(rotated).toMatchObject({ secret: expect.stringMatching(/^whsec_/), old_secret_until: expect.any(String) });
    expect(receiver.events).toEqual([]);
    await ask("PATCH", `/${id}`, token, { status: "active" });
    const delivery = await until(() => receiver.deliveries[1]);
    expect(verified(secret, delivery!)).toEqual(verified(rotated.secret, delivery!));
    expect(() => verified(`whsec_${Buffer.alloc(32).toString("base64")}`, delivery!)).toThrow("No matching signature");

    const test = await ask("POST", `/${id}/test-event`, token);
    expect([test.status, test.body.status, test.body.type]).toEqual([202, "waiting", "dev.pdpp.subscription.test"]);
    await until(() => receiver.events.some(({ type }) => type === "dev.pdpp.subscription.test"));
    const [changed] = receiver.events;
    await until(
      () => log(token, id),
      (all) => all.every(({ status }) => status === "delivered"),
    );
    const again = await ask("POST", `/${id}/replay`, token, { event_id: changed.id });
    expect([again.status, again.body.event_ids]).toEqual([202, [changed.id]]);
    await until(() => receiver.events.filter((event) => event.id === changed.id).length === 2);
    expect(receiver.events.at(-1)).toEqual(changed);
    await until(
      () => log(token, id),
      (all) => all.every(({ status }) => status === "delivered"),
    );
    const since = await ask("POST", `/${id}/replay`, token, { since: "2020-01-01T00:00:00Z" });
    expect(since.body.event_ids).toEqual([changed.id]);
    expect((await ask("POST", `/${id}/replay`, token, { event_id: "evt_none" })).body.error.code).toBe("not_found");
    expect((await ask("POST", `/${id}/replay`, token, {})).body.error.code).toBe("invalid_request");
    expect((await ask("DELETE", `/${id}`, token)).status).toBe(204);
    expect((await ask("GET", `/${id}`, token)).body.error.code).toBe("not_found");
  });

  it("F-06 a new address is verified before anything is sent there", async () => {
    const app = await grant();
    const { access_token: token } = app;
    const { id } = await subscribed(server, app, receiver);
    const second = await startReceiver();
    await allowFor(server, app, second);
    second.answer = (_delivery, response) => void response.writeHead(200).end('{"challenge":"another"}');
    const moved = await ask("PATCH", `/${id}`, token, { url: second.url });
    expect(moved.body).toMatchObject({ status: "pending", url: second.url });
    await write();
    const failed = await until(
      () => one(server.owner, id),
      ({ last_failure }) => last_failure !== undefined,
    );
    expect(failed).toMatchObject({
      status: "pending",
      last_failure: { error: "its response does not repeat the challenge" },
    });
    expect(second.events).toEqual([]);
    second.answer = repeatChallenge;
    expect((await ask("POST", `/${id}/verify`, token)).status).toBe(202);
    await until(() => second.events.length === 1);
    expect(receiver.events).toEqual([]);
    await second.close();
  });
});

describe("F-06 visibility of subscriptions", () => {
  it("F-06 an app sees its own subscriptions; the owner sees all of them and can create one for a grant", async () => {
    const mine = await grant();
    const theirs = await grant();
    const { id } = await subscribed(server, mine, receiver);
    expect((await ask("GET", `/${id}`, theirs.access_token)).body.error.code).toBe("not_found");
    for (const [method, path] of [
      ["PATCH", `/${id}`],
      ["DELETE", `/${id}`],
      ["POST", `/${id}/rotate-secret`],
      ["POST", `/${id}/replay`],
      ["GET", `/${id}/deliveries`],
    ] as const) {
      const body =
        method === "GET" || method === "DELETE" ? undefined : { ...(path.endsWith("replay") ? { event_id: "x" } : {}) };
      expect((await ask(method, path, theirs.access_token, body)).body.error.code, path).toBe("not_found");
    }
    const listed = await ask("GET", "", theirs.access_token);
    expect(listed.body.data).toEqual([]);
    const all = await ask("GET", `?grant_id=${mine.grant_id}`, server.owner);
    expect(all.body.data.map((each: Loose) => each.subscription_id)).toEqual([id]);

    const body = { url: receiver.url, grant_id: theirs.grant_id };
    await allowFor(server, theirs, receiver);
    const made = await ask("POST", "", server.owner, body);
    expect(made.body).toMatchObject({ grant_id: theirs.grant_id, client_name: "pdpp", secret: expect.any(String) });
    expect((await ask("POST", "", server.owner, { url: receiver.url })).body.error.param).toBe("grant_id");
    expect((await ask("POST", "", mine.access_token, body)).body.error.param).toBe("grant_id");
    expect((await ask("POST", "", server.owner, { ...body, grant_id: "grt_none" })).body.error.code).toBe("not_found");
    const once = await server.grant({ selections: [{ connection_id: connection }], access_mode: "single_use" });
    expect((await ask("POST", "", once.access_token, { url: receiver.url })).body.error.message).toContain(
      "single use",
    );
  });

  it("F-06 the capability document needs no token, is linked where apps look for it, and is the only place that explains signing", async () => {
    const told = await server.get(`${PATH}/capabilities`, { token: null });
    expect(told.status).toBe(200);
    expect(told.body).toMatchObject({ object: "event_capabilities", signing: { name: "Standard Webhooks" } });
    const { body: resource } = await server.get("/.well-known/oauth-protected-resource/v1", { token: null });
    const { body: index } = await server.get("/", { token: null });
    for (const named of [resource.event_subscriptions, index.event_subscriptions])
      expect(named).toBe(`${server.url}${PATH}/capabilities`);
    for (const path of ["/llms.txt", "/llms-full.txt", "/openapi.json"])
      expect((await server.get(path, { token: null })).text).not.toMatch(
        /webhook-signature|HMAC-SHA256|retries_seconds":\[5/,
      );
    expect((await server.get(`${PATH}/capabilities`, { token: null, query: { a: 1 } })).status).toBe(400);
    expect((await server.call("DELETE", `${PATH}/capabilities`)).status).toBe(405);
  });

  it.runIf(ON_FILES)("F-06 no response, log, audit line or file contains a secret; actions are audited", async () => {
    const app = await grant();
    const { access_token: token, grant_id } = app;
    const { id, secret } = await subscribed(server, app, receiver);
    const rotated = (await ask("POST", `/${id}/rotate-secret`, token)).body.secret;
    await write();
    await until(() => receiver.events.length === 1);
    const bytes = Buffer.concat(
      ["records.db", "records.db-wal"].map((name) => readFileSync(join(server.home, name))),
    ).toString("latin1");
    const answers = await Promise.all([
      ask("GET", "", token),
      ask("GET", `/${id}`, token),
      ask("GET", `/${id}/deliveries`, token),
    ]);
    const { body: activity } = await server.get("/v1/activity", { query: { grant_id, limit: 100 } });
    const everything = [
      bytes,
      ...answers.map(({ text }) => text),
      JSON.stringify(activity),
      server.log.join("\n"),
    ].join("\n");
    for (const each of [secret, rotated]) {
      expect(everything).not.toContain(each.slice("whsec_".length));
      expect(everything).not.toContain(Buffer.from(each.slice(6), "base64").toString("latin1"));
    }
    const actions = activity.data.map(({ action }: Loose) => action);
    expect(actions).toEqual(expect.arrayContaining(["createSubscription", "rotateSubscriptionSecret"]));
    expect(server.log).toEqual([]);
  });
});

describe("F-06 invalid requests", () => {
  it.each([
    ["ftp://app.example.test/hook", "https"],
    ["not an address", "https"],
    ["http://app.example.test/hook", "http"],
    ["https://user:pass@app.example.test/hook", "credentials"],
    ["https://app.example.test/hook#part", "fragment"],
    ["https://app.example.test./hook", "dot"],
    ["https://app.example.test:0/hook", "port"],
    ["https://127.0.0.1/hook", "address"],
    ["https://[::1]/hook", "address"],
    ["https://2130706433/hook", "address"],
    ["https://localhost/hook", "public"],
    ["https://nas.local/hook", "public"],
    [`https://app.example.test/${"a".repeat(EVENTS.urlMax)}`, "2048"],
  ])("F-06 the address %s is refused", async (url, said) => {
    const { access_token: token } = await grant();
    const { status, body } = await ask("POST", "", token, { url });
    expect([status, body.error.code, body.error.param]).toEqual([400, "invalid_request", "url"]);
    expect(body.error.message).toContain(said);
  });

  it("F-06 hidden streams, short secrets, unknown fields and too many subscriptions are refused", async () => {
    const { access_token: token } = await grant();
    const url = "https://app.example.test:8443/hook";
    const refused = async (body: object) => {
      const { error } = (await ask("POST", "", token, { url, ...body })).body;
      return [error.code, error.param];
    };
    expect(await refused({ streams: [{ stream: "authors" }] })).toEqual(["grant_stream_not_allowed", "streams"]);
    expect(await refused({ streams: [{ stream: "nowhere" }] })).toEqual(["grant_stream_not_allowed", "streams"]);
    expect(await refused({ streams: [{ stream: "books", connection_id: "cin_none" }] })).toEqual([
      "connection_not_found",
      "connection_id",
    ]);
    expect(await refused({ streams: [] })).toEqual(["invalid_request", "streams"]);
    for (const secret of ["short", "whsec_c2hvcnQ=", "whsec_!!!!", `whsec_${Buffer.alloc(65).toString("base64")}`])
      expect(await refused({ secret }), secret).toEqual(["invalid_request", "secret"]);
    expect(await refused({ color: "red" })).toEqual(["invalid_request", "color"]);
    const brought = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;
    expect((await ask("POST", "", token, { url, secret: brought })).body.secret).toBe(brought);
    for (let made = 1; made < EVENTS.perGrant; made++) await ask("POST", "", token, { url });
    const full = await ask("POST", "", token, { url });
    expect([full.status, full.body.error.code]).toEqual([413, "resource_limit"]);
    expect(full.body.error.next_step).toContain("DELETE /v1/event-subscriptions/sub_");
  });

  it("C-08 callback_url is accepted instead of url, as in the reference, but not both", async () => {
    const { access_token: token } = await grant();
    const [url, other] = ["https://app.example.test:8443/hook", "https://app.example.test:8443/other"];
    const made = await ask("POST", "", token, { callback_url: url });
    expect([made.status, made.body.url]).toEqual([201, url]);
    const changed = await ask("PATCH", `/${made.body.subscription_id}`, token, { callback_url: other });
    expect([changed.status, changed.body.url]).toEqual([200, other]);
    const { error } = (await ask("POST", "", token, { url, callback_url: url })).body;
    expect([error.code, error.param]).toEqual(["invalid_request", "callback_url"]);
    expect(error.message).toBe("callback_url is another name for url; specify only one of them");
    const bad = await ask("POST", "", token, { callback_url: "ftp://app.example.test" });
    expect([bad.status, bad.body.error.code]).toEqual([400, "invalid_request"]);
  });

  it("F-06 challenges and tests are rate limited", async () => {
    const app = await grant();
    const { access_token: token } = app;
    const { id } = await subscribed(server, app, receiver);
    const statuses: number[] = [];
    for (let n = 0; n < EVENTS.askedPerMinute; n++)
      statuses.push((await ask("POST", `/${id}/test-event`, token)).status);
    expect(statuses).toEqual([...Array(EVENTS.askedPerMinute - 1).fill(202), 429]);
  });

  it("F-06 the log is paged, newest first, and shows each delivery once", async () => {
    const app = await grant();
    const { access_token: token } = app;
    const { id } = await subscribed(server, app, receiver);
    for (let n = 1; n < 5; n++) await ask("POST", `/${id}/test-event`, token);
    await until(() => receiver.events.length === 4);
    await until(
      () => log(token, id),
      (all) => all.every(({ status }) => status === "delivered"),
    );
    const whole = (await log(token, id)).map(({ event_id }) => event_id);
    const paged = await server.all(`${PATH}/${id}/deliveries`, { token, query: { limit: 2 } });
    expect([paged.map(({ event_id }) => event_id), whole.length]).toEqual([whole, 5]);
    const { next_cursor: cursor } = (await ask("GET", `/${id}/deliveries?limit=2`, token)).body;
    expect((await ask("GET", `/${id}/deliveries?cursor=${cursor}`, server.owner)).body.error.code).toBe(
      "invalid_cursor",
    );
  });
});
