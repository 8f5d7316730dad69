// P-07: stopping a server process finishes running requests and keeps acknowledged writes.
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { COMPONENTS } from "../src/contract/components.ts";
import { until } from "./events/receiver.ts";
import { clientOf, ndjson } from "./harness.ts";
import { book, library } from "./library.ts";
import { ok, pdpp, type Serving, serve } from "./pdpp.ts";

const folder = mkdtempSync(join(tmpdir(), "pdpp-stop-"));
const home = join(folder, "home");
/** Enough records that no buffer between server and client can hold a whole export. */
const MANY = 3000;
const PADDING = "x".repeat(8000);
let owner: string;
let connection: string;

beforeAll(async () => {
  const server = await serve(home);
  owner = (await ok(pdpp(["owner", "token", "--home", home, "--json"]))).json.access_token;
  const client = clientOf(server.url, owner);
  await client.register("library", library);
  connection = await client.connect("library", "First");
  const padded = Array.from({ length: MANY }, (_, index) => book(`p${index}`, { notes: PADDING }));
  for (let from = 0; from < MANY; from += 500) await client.ingest("books", connection, padded.slice(from, from + 500));
  await server.stop();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let running: Serving | undefined;
/** Starts the only running server. It is killed after its test, whatever the result. */
const serving = async (...args: Parameters<typeof serve>): Promise<Serving> => {
  running = await serve(...args);
  return running;
};
afterEach(async () => {
  running?.tell("SIGKILL");
  await running?.ended;
});

/** A request that can be sent and read slowly. */
function slow(server: Serving, method: string, path: string): ClientRequest {
  const headers = { Authorization: `Bearer ${owner}` };
  const sent = request(`${server.url}${path}`, { method, headers, agent: false });
  // Interruptions are handled where the response is awaited.
  sent.on("error", () => undefined);
  return sent;
}

const answerOf = async (sent: ClientRequest): Promise<IncomingMessage> =>
  (await once(sent, "response"))[0] as IncomingMessage;

const readiness = (
  server: Serving,
): Promise<{ status: number; body: unknown; connection: string | null } | "refused"> =>
  fetch(`${server.url}/readyz`).then(
    async (answer) => ({
      status: answer.status,
      body: await answer.json(),
      connection: answer.headers.get("connection"),
    }),
    () => "refused",
  );

describe("P-07 SIGTERM", () => {
  it("P-07 makes the server unready, then stops accepting connections, and finishes running requests", async () => {
    const server = await serving(home, ["--log", "json", "--metrics"], { PDPP_DRAIN_SECONDS: "2" });
    const green = await until(
      () => readiness(server),
      (look) => look !== "refused" && look.status === 200,
    );
    expect(green).toMatchObject({ body: { status: "ready" } });

    const upload = slow(server, "POST", `/v1/ingest/books?connection_id=${connection}`);
    upload.write(ndjson([book("slow-1")]));
    const download = slow(server, "GET", `/v1/export?stream=books&connection_id=${connection}&format=jsonl`);
    download.end();
    const file = await answerOf(download);
    expect(file.statusCode).toBe(200);
    file.pause();

    server.tell("SIGTERM");
    const red = await until(
      () => readiness(server),
      (look) => look === "refused" || look.status !== 200,
    );
    expect(red).toMatchObject({ status: 503 });
    expect(await readiness(server)).toMatchObject({ status: 503, connection: "close" });
    expect(COMPONENTS.NotReady.parse((red as { body: unknown }).body).reason).toContain("stopping");
    // Requests in the meantime are still served.
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    const client = clientOf(server.url, owner);
    await client.ingest("books", connection, [book("while-draining")]);

    await until(
      () => readiness(server),
      (look) => look === "refused",
    );
    upload.end(ndjson([book("slow-2")]));
    const stored = await answerOf(upload);
    expect([stored.statusCode, JSON.parse(await text(stored)).records_accepted]).toEqual([200, 2]);
    const whole = await text(file);
    expect(file.complete).toBe(true);
    expect(whole.trimEnd().split("\n").length).toBeGreaterThanOrEqual(MANY);
    expect(await server.ended).toBe(0);

    const lines = server.stderr().trimEnd().split("\n");
    const said = lines.map((line) => JSON.parse(line) as { level: string; route?: string; status?: number });
    expect(said[0]).toMatchObject({ message: expect.stringContaining("pdpp owner reset") });
    expect(said.filter(({ level }) => level !== "info")).toEqual([]);
    expect(said).toContainEqual(expect.objectContaining({ route: "/readyz", status: 503 }));
    expect(said).toContainEqual(expect.objectContaining({ route: "/v1/ingest/{stream}", status: 200 }));
    expect(server.output()).not.toContain(owner);
    expect(server.output()).not.toMatch(/\/setup\?/);

    const again = await serving(home);
    const found = clientOf(again.url, owner);
    for (const id of ["slow-1", "slow-2", "while-draining"])
      expect(
        (await found.get(`/v1/streams/books/records/${id}`, { query: { connection_id: connection } })).status,
      ).toBe(200);
    expect(await again.stop()).toBe(0);
  });

  it("P-07 a second SIGTERM ends it immediately, and acknowledged writes are kept", async () => {
    const server = await serving(home, [], { PDPP_DRAIN_SECONDS: "300" });
    const client = clientOf(server.url, owner);
    await client.ingest("books", connection, [book("before-the-end")]);
    server.tell("SIGTERM");
    await until(
      () => readiness(server),
      (look) => look !== "refused" && look.status === 503,
    );
    let open = true;
    void server.ended.then(() => {
      open = false;
    });
    while (open) {
      server.tell("SIGTERM");
      await Promise.race([server.ended, sleep(100)]);
    }
    expect(await server.ended).toBe(143);
    const again = await serving(home);
    const { status } = await clientOf(again.url, owner).get("/v1/streams/books/records/before-the-end", {
      query: { connection_id: connection },
    });
    expect(status).toBe(200);
    expect(await again.stop()).toBe(0);
  });
});
