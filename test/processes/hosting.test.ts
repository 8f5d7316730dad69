// P-07: many owners in one database, each at an address of its own; none sees another's, and homes come and go as they are needed.
import { request as httpRequest } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openDatabaseHome } from "../../src/engine/home.ts";
import { createOwner, deleteOwner, listOwners } from "../../src/engine/owners.ts";
import { NamePattern, type RunningHosting, startHosting } from "../../src/serving/hosting.ts";
import { openStore } from "../../src/store/place.ts";
import { prepareDatabase } from "../../src/store/postgres/prepare.ts";
import { addHostile } from "../connectors/hostile-connector.ts";
import { HOME_OWNER, type Loose, ndjson, newHome } from "../harness.ts";
import { BOOKS, library } from "../library.ts";
import { emptyDatabase } from "../postgres.ts";

let database: Awaited<ReturnType<typeof emptyDatabase>>;
let hosting: RunningHosting;
const home = newHome();
const log: string[] = [];
const tokens = new Map<string, string>();
const subjects = new Map<string, string>();

const start = (options: { idleMs?: number; homesMax?: number } = {}): Promise<RunningHosting> =>
  startHosting({
    home,
    database: { url: database.url },
    port: 0,
    publicUrl: "http://*.data.example",
    log: (text) => void log.push(text),
    ...options,
  });

beforeAll(async () => {
  database = await emptyDatabase();
  for (const name of ["alice", "bob"]) {
    const { subject } = await createOwner(database.url, name);
    subjects.set(name, subject);
    const host = await openDatabaseHome(newHome(), { url: database.url, subject }, { note: () => undefined });
    const issued = JSON.parse(await host.call("issueOwnerToken", {}, HOME_OWNER)) as { access_token: string };
    tokens.set(name, issued.access_token);
    await host.close();
  }
  hosting = await start();
});
afterAll(async () => {
  await hosting.close();
  await database.drop();
});

/** fetch would not let us say who we ask for. */
function ask(name: string, method: string, path: string, token = tokens.get(name), body?: unknown): Promise<Loose> {
  const { port } = new URL(hosting.url);
  const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const headers = {
      Host: `${name}.data.example`,
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    };
    const asked = httpRequest({ host: "127.0.0.1", port, method, path, headers }, (response) => {
      let said = "";
      response.on("data", (part: Buffer) => (said += part.toString()));
      response.on("end", () => {
        const isJson = response.headers["content-type"]?.includes("json");
        resolve({ status: response.statusCode, body: isJson && said !== "" ? JSON.parse(said) : said });
      });
    });
    asked.on("error", reject).end(text);
  });
}

describe("P-07 many owners", () => {
  test("P-07 each at a name of its own, with data of its own", async () => {
    for (const name of ["alice", "bob"]) {
      expect((await ask(name, "PUT", "/v1/connectors/library", tokens.get(name), library)).status).toBe(200);
      const connected = await ask(name, "POST", "/v1/connections", tokens.get(name), {
        connector_id: "library",
        display_name: `Shelf of ${name}`,
      });
      expect(connected.status).toBe(201);
      const lines = ndjson(BOOKS.slice(0, name === "alice" ? 3 : 5));
      const path = `/v1/ingest/books?connection_id=${connected.body.connection_id}`;
      expect((await ask(name, "POST", path, tokens.get(name), lines)).status).toBe(200);
    }
    const counts = await Promise.all(
      ["alice", "bob"].map(async (name) => {
        const { body } = await ask(name, "GET", "/v1/streams/books/records?limit=50");
        return body.data.length;
      }),
    );
    expect(counts).toEqual([3, 5]);
  });

  test("P-07 a token of one opens nothing of another, and no id of one is known to another", async () => {
    expect((await ask("bob", "GET", "/v1/connections", tokens.get("alice"))).status).toBe(401);
    const { connection_id } = (await ask("alice", "GET", "/v1/connections")).body.data[0];
    const other = await ask("bob", "GET", `/v1/streams/books/records?connection_id=${connection_id}`);
    expect([other.status, other.body.error.code]).toEqual([404, "connection_not_found"]);
  });

  test("P-07 discovery and links speak of the owner's own address", async () => {
    const { body } = await ask("alice", "GET", "/.well-known/oauth-protected-resource/mcp", undefined);
    expect(body.resource).toBe("http://alice.data.example/mcp");
    expect(body.authorization_servers).toEqual(["http://alice.data.example"]);
  });

  test("P-07 a name that nobody has is not found, whatever it is, and leaves nothing behind", async () => {
    for (const name of ["carol", "a--", "ALICE.evil", "x".repeat(70)]) {
      expect((await ask(name, "GET", "/v1/connections", tokens.get("alice"))).status).toBe(404);
    }
    expect((await fetch(`${hosting.url}/v1/connections`)).status).toBe(404);
    for (const probe of ["/healthz", "/readyz"]) expect((await fetch(hosting.url + probe)).status).toBe(200);
    const made = await listOwners(database.url);
    expect(made.map(({ name }) => name)).toEqual(["alice", "bob"]);
  });

  test("P-07 homes that nobody asks for are let go, and opened again when somebody comes or a job is due", async () => {
    await hosting.close();
    const place = await prepareDatabase(database.url, { owner: subjects.get("bob") });
    hosting = await start({ idleMs: 300 });
    expect((await ask("bob", "GET", "/v1/connections")).status).toBe(200);
    // Nobody has it open now.
    await wait(1500);
    const beside = await openDatabaseHome(newHome(), place, { note: () => undefined });
    const { connectionId } = await addHostile(beside, "good");
    await beside.call("putSchedule", { connection_id: connectionId, every_seconds: 3600 }, HOME_OWNER);
    await beside.call("runSchedule", { id: connectionId }, HOME_OWNER);
    await beside.close();
    // Looked at without the server: a request would open it.
    const reader = await openStore({ home, database: place });
    const ran = (): Promise<boolean> =>
      reader.read(async (view) => (await view.jobs(place.subject)).some(({ status }) => status === "succeeded"));
    while (!(await ran())) await wait(100);
    await reader.close();
    await wait(1500);
    expect((await ask("bob", "GET", "/v1/connections")).status).toBe(200);
    expect((await ask("alice", "GET", "/v1/streams/books/records?limit=50")).body.data).toHaveLength(3);
  });

  test("P-07 one that is taken away is gone with all it had, and the others stay", async () => {
    await hosting.close();
    await deleteOwner(database.url, "alice");
    hosting = await start();
    expect((await ask("alice", "GET", "/v1/connections")).status).toBe(404);
    expect((await ask("bob", "GET", "/v1/streams/books/records?limit=50")).body.data).toHaveLength(5);
    await expect(deleteOwner(database.url, "bob")).rejects.toMatchObject({ code: "home_in_use" });
    await expect(createOwner(database.url, "Not a name")).rejects.toMatchObject({ code: "invalid_request" });
    await expect(createOwner(database.url, "bob")).rejects.toMatchObject({ code: "invalid_request" });
    expect(log).toEqual([]);
  });

  test("P-07 an address says where the owner's name stands", () => {
    const pattern = new NamePattern("https://*.data.example:8443");
    expect(pattern.nameIn("Alice.data.example:8443")).toBe("alice");
    expect(pattern.urlOf("alice")).toBe("https://alice.data.example:8443");
    for (const host of ["data.example:8443", "a.b.data.example:8443", "alice.data.example", ".data.example:8443"])
      expect(pattern.nameIn(host), host).toBeUndefined();
    for (const url of ["https://data.example", "https://*", "https://*.*.example", "ftp://*.example"])
      expect(() => new NamePattern(url), url).toThrow();
  });
});
