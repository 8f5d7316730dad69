// F-06: many concurrent receivers, commands alongside a server, and a restarted server.
import { rmSync } from "node:fs";
import { afterEach, beforeEach, expect, it } from "vitest";
import { HOME_OWNER, type Loose, ndjson, newHome, openBeside, type TestServer, testServer } from "../harness.ts";
import { book, library } from "../library.ts";
import { type Receiver, startReceiver, subscribed, until } from "./receiver.ts";

let home: string;
let server: TestServer;
let connection: string;
const receivers: Receiver[] = [];

const start = (): Promise<TestServer> => testServer({ home, events: { probeMs: 20 } });

beforeEach(async () => {
  home = newHome();
  server = await start();
  await server.register("library", library);
  connection = await server.connect("library");
});
afterEach(async () => {
  await server.close();
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
  rmSync(home, { recursive: true, force: true });
});

async function receiver(): Promise<Receiver> {
  const made = await startReceiver();
  receivers.push(made);
  return made;
}
const grant = (): Promise<Loose> => server.grant({ selections: [{ connection_id: connection, stream: "books" }] });
const write = (id: string): Promise<Loose> => server.ingest("books", connection, [book(id, { title: id })]);

it("F-06 a hanging receiver does not delay others, and never has more than one delivery in flight", async () => {
  const app = await grant();
  const slow = await receiver();
  const quick = await receiver();
  await subscribed(server, app, slow);
  await subscribed(server, app, quick);
  slow.answer = () => undefined;
  for (let n = 1; n <= 5; n++) {
    await write(`b${n}`);
    await until(() => quick.events.length >= n);
  }
  expect(slow.events).toHaveLength(1);
});

it("F-06 changes by a command alongside the server are delivered, and revoking a grant with a command ends pending deliveries", async () => {
  const app = await grant();
  const { grant_id } = app;
  const hook = await receiver();
  const { id } = await subscribed(server, app, hook);
  const command = await openBeside(home);
  try {
    const text = ndjson([book("c1", { title: "From a command" })]);
    await command.call("ingest", { stream: "books", connection_id: connection, text }, HOME_OWNER);
    await until(() => hook.events.length === 1);
    let cut = false;
    hook.answer = (_delivery, response) => void response.on("close", () => (cut = true));
    await write("b1");
    await until(() => hook.events.length === 2);
    await command.call("revokeGrant", { id: grant_id }, HOME_OWNER);
    await until(() => cut);
    expect((await server.get(`/v1/event-subscriptions/${id}`)).body.status).toBe("ended");
  } finally {
    await command.close();
  }
});

it("F-06 a restarted server sends pending events under the same id, and events for changes written in the meantime", async () => {
  const app = await grant();
  const { access_token: token } = app;
  const hook = await receiver();
  await subscribed(server, app, hook);
  hook.answer = () => undefined;
  await write("b1");
  await until(() => hook.events.length === 1);
  await server.close();
  hook.answer = (_delivery, response) => void response.writeHead(200).end();
  const command = await openBeside(home);
  const text = ndjson([book("b2", { title: "b2" })]);
  await command.call("ingest", { stream: "books", connection_id: connection, text }, HOME_OWNER);
  await command.close();
  server = await start();
  await until(() => hook.events.length === 2);
  const [first, second] = hook.events;
  expect(second.id).toBe(first.id);
  const path = "/v1/streams/books/records";
  const query = { connection_id: connection, changes_since: second.data.changes_since };
  const { body } = await server.get(path, { token, query });
  expect(body.data.map(({ id }: Loose) => id)).toEqual(["b1", "b2"]);
});

it("F-06 events are sent for records that are written, deleted, or removed with their connection", async () => {
  const app = await grant();
  const { access_token: token } = app;
  const hook = await receiver();
  const { id } = await subscribed(server, app, hook);
  await write("b1");
  await until(() => hook.events.length === 1);
  await server.call("DELETE", "/v1/streams/books/records/b1", { query: { connection_id: connection } });
  const gone = await until(() => hook.events[1]);
  const query = { connection_id: connection, changes_since: gone.data.changes_since };
  const { body } = await server.get("/v1/streams/books/records", { token, query });
  expect(body.data).toMatchObject([{ id: "b1", deleted: true }]);
  await server.call("DELETE", `/v1/connections/${connection}`);
  const left = await until(
    async () => (await server.get(`/v1/event-subscriptions/${id}`)).body,
    ({ waiting }) => waiting === 0,
  );
  expect(left.status).toBe("active");
  expect(hook.events).toHaveLength(2);
});
