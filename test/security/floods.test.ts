// Row 21: slow requests, huge requests, and too many requests. Each kind is limited, and other clients are still
// served.
import { Agent, request } from "node:http";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BODY } from "../../src/contract/limits.ts";
import { createApp } from "../../src/serving/app.ts";
import { listen } from "../../src/surfaces/http/serve.ts";
import { EMITTED, HOME_OWNER, type TestServer, testServer } from "../harness.ts";
import { BOOKS, book, library } from "../library.ts";

let server: TestServer;
let connection: string;
beforeAll(async () => {
  server = await testServer();
  await server.register("library", library);
  connection = await server.connect("library");
  await server.ingest("books", connection, BOOKS);
});
afterAll(() => server.close());

const portOf = (url: string): number => Number(new URL(url).port);

function open(port: number, text: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(text);
      resolve(socket);
    });
    socket.once("error", reject);
  });
}

const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    socket.on("error", () => undefined);
    socket.on("close", () => resolve());
    socket.resume();
  });

describe("SECURITY row 21 slow clients", () => {
  test("SECURITY row 21 a hundred clients that never finish their headers are cut off, and others are still served", async () => {
    let port = 0;
    const app = createApp({ place: { home: server.home }, host: server.host, port: () => port, log: () => undefined });
    const strict = await listen(app, 0, {
      timeouts: { headers: 500, request: 60_000, idle: 60_000, keepAlive: 15_000 },
    });
    port = strict.port;
    const slow = await Promise.all(
      Array.from({ length: 100 }, () => open(port, `GET /v1/schema HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-Slow: `)),
    );
    const cut = Promise.all(slow.map(closed));
    const drip = setInterval(() => {
      for (const socket of slow) if (socket.writable) socket.write("a");
    }, 50);
    const { status } = await fetch(`http://127.0.0.1:${port}/v1/schema`, {
      headers: { Authorization: `Bearer ${server.owner}` },
    });
    expect(status).toBe(200);
    await cut;
    clearInterval(drip);
    await strict.close();
  });

  test("SECURITY row 21 three hundred idle connections do not delay others", async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 300, maxFreeSockets: 300 });
    const ask = (): Promise<number> =>
      new Promise((resolve, reject) => {
        const sent = request(`${server.url}/openapi.json`, { agent }, (response) => {
          response.resume();
          response.on("end", () => resolve(response.statusCode!));
        });
        sent.on("error", reject);
        sent.end();
      });
    const held = await Promise.all(Array.from({ length: 300 }, ask));
    expect(new Set(held)).toEqual(new Set([200]));
    expect(Object.values(agent.freeSockets).flat()).toHaveLength(300);
    for (let n = 0; n < 5; n++) expect((await server.get("/v1/streams/books/records")).status).toBe(200);
    expect(Object.values(agent.freeSockets).flat()).toHaveLength(300);
    agent.destroy();
  });
});

test("SECURITY row 21 T-06 when connections run out, silent ones are closed, and an open stream, a returning client and a new one are served", async () => {
  const MAX = 20;
  let port = 0;
  const app = createApp({ place: { home: server.home }, host: server.host, port: () => port, log: () => undefined });
  const small = await listen(app, 0, { connectionsMax: MAX });
  port = small.port;
  const headers = { Authorization: `Bearer ${server.owner}` };
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = (): Promise<Socket> =>
    new Promise((resolve, reject) => {
      const sent = request(`http://127.0.0.1:${port}/v1/schema`, { agent, headers }, (response) => {
        const { socket } = response;
        response.resume();
        response.on("end", () => resolve(socket));
      });
      sent.on("error", reject);
      sent.end();
    });
  const established = await ask();
  const { body } = await server.call("POST", "/v1/imports", { body: { name: "waits.mbox", size: 10 } });
  const stream = await fetch(`http://127.0.0.1:${port}/api/jobs/${body.import_id}`, {
    headers: { ...headers, Accept: "text/event-stream" },
  });
  const events = stream.body!.getReader();
  expect((await events.read()).done).toBe(false);

  const silent = await Promise.all(Array.from({ length: 5 * MAX }, () => open(port, "")));
  const ends = silent.map((socket, n) => closed(socket).then(() => n));
  expect((await fetch(`http://127.0.0.1:${port}/v1/schema`, { headers })).status).toBe(200);
  // There are 100 silent connections, the client, the stream and the new one. All but 20 had to be closed.
  await Promise.all(ends.slice(0, 5 * MAX + 3 - MAX));
  expect(await ask()).toBe(established);
  expect(await Promise.race([events.closed.then(() => "closed"), Promise.resolve("open")])).toBe("open");
  await events.cancel();
  agent.destroy();
  for (const socket of silent) socket.destroy();
  await small.close();
});

describe("SECURITY row 21 event streams", () => {
  const STREAMS = 1000;
  /** The limit of open streams per token (src/surfaces/rest/job-events.ts). */
  const PER_TOKEN = 16;

  test("SECURITY row 21 a thousand idle event streams do not delay others, and one token has at most sixteen", async () => {
    const { body } = await server.call("POST", "/v1/imports", { body: { name: "waits.mbox", size: 10 } });
    const tokens = await Promise.all(
      Array.from({ length: Math.ceil(STREAMS / PER_TOKEN) }, async () => {
        const { access_token } = await server.host.call("issueOwnerToken", {}, HOME_OWNER);
        return access_token;
      }),
    );
    const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });
    const open = (token: string): Promise<number> =>
      new Promise((resolve, reject) => {
        const headers = { Authorization: `Bearer ${token}`, Accept: "text/event-stream" };
        const sent = request(`${server.url}/api/jobs/${body.import_id}`, { agent, headers }, (response) => {
          // After the first event the stream is open and stays open.
          response.once("data", () => resolve(response.statusCode!));
          response.on("error", () => undefined);
        });
        sent.on("error", reject);
        sent.end();
      });
    for (const token of tokens) {
      const opened = await Promise.all(Array.from({ length: PER_TOKEN }, () => open(token)));
      expect(new Set(opened)).toEqual(new Set([200]));
    }
    expect(tokens.length * PER_TOKEN).toBeGreaterThanOrEqual(STREAMS);
    expect(await open(tokens[0]!)).toBe(429);
    for (let n = 0; n < 5; n++) expect((await server.get("/v1/streams/books/records")).status).toBe(200);
    agent.destroy();
  });
});

describe("SECURITY row 21 huge requests", () => {
  const chunked = (path: string, method: string, bytes: number): Promise<{ status: number; code?: string }> =>
    new Promise((resolve, reject) => {
      const sent = request(
        `${server.url}${path}`,
        { method, headers: { Authorization: `Bearer ${server.owner}`, "Transfer-Encoding": "chunked" } },
        (response) => {
          let text = "";
          response.on("data", (part) => {
            text += part;
          });
          response.on("end", () => resolve({ status: response.statusCode!, code: /"code":"(\w+)"/.exec(text)?.[1] }));
        },
      );
      sent.on("error", reject);
      const piece = Buffer.alloc(64 * 1024, 0x20);
      let left = bytes;
      const write = (): void => {
        while (left > 0) {
          const part = piece.subarray(0, Math.min(left, piece.length));
          left -= part.length;
          if (!sent.write(part)) {
            sent.once("drain", write);
            return;
          }
        }
        sent.end();
      };
      write();
    });

  test("SECURITY row 21 a JSON body of 4 MiB and one byte gets 413, and one of 4 MiB is read", async () => {
    const body = (bytes: number): string => `{"connector_id":"library"${" ".repeat(bytes - 26)}}`;
    const { status, body: answer } = await server.call("POST", "/v1/connections", { body: body(BODY.json + 1) });
    expect([status, answer.error.code]).toEqual([413, "resource_limit"]);
    expect(answer.error.next_step).toContain("smaller body");
    const just = await server.call("POST", "/v1/connections", { body: body(BODY.json) });
    expect(just.status).toBe(201);
    await server.call("DELETE", `/v1/connections/${just.body.connection_id}`);
    for (const [method, path] of [
      ["PUT", "/v1/connectors/x"],
      ["POST", "/v1/grants"],
      ["PUT", "/v1/state/library"],
      ["PATCH", "/v1/connections/x"],
    ] as const) {
      expect((await server.call(method, path, { body: body(BODY.json + 1) })).status).toBe(413);
    }
  });

  test("SECURITY row 21 a body without a length is cut off at the same limit, and the server continues", async () => {
    expect(await chunked("/v1/connections", "POST", BODY.json + 1)).toEqual({ status: 413, code: "resource_limit" });
    expect((await server.get("/v1/schema")).status).toBe(200);
  });

  test("SECURITY row 21 oversized headers and addresses are refused", async () => {
    const answer = await fetch(`${server.url}/v1/schema`, { headers: { "X-Large": "x".repeat(100_000) } }).then(
      (response) => response.status,
      () => 431,
    );
    expect(answer).toBe(431);
    expect((await server.get("/v1/schema")).status).toBe(200);
  });

  test("SECURITY row 21 an unauthenticated caller cannot make the server read a body", async () => {
    const { status, body } = await server.call("POST", "/v1/ingest/books", {
      token: "pdpp_at_unknown",
      body: "x".repeat(1_000_000),
    });
    expect([status, body.error.code]).toEqual([401, "authentication_error"]);
  });

  test.each([
    ["POST", "/v1/grants", "pdpp_at_unknown", 401],
    ["PUT", "/v1/connectors/x", "pdpp_at_unknown", 401],
    ["POST", "/v1/connections", undefined, 403],
    ["PATCH", "/v1/connections/cin_x", undefined, 403],
  ])("row 21 %s %s is refused before its body has arrived", async (method, path, unknown, status) => {
    const token = unknown ?? (await server.grant({ selections: [{ connection_id: connection }] })).access_token;
    const head = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:${portOf(server.url)}\r\nAuthorization: Bearer ${token}\r\nContent-Length: 4000000\r\n\r\n`;
    const socket = await open(portOf(server.url), head);
    const answer = await new Promise<string>((resolve) => socket.once("data", (bytes) => resolve(String(bytes))));
    socket.destroy();
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });

  test("SECURITY row 21 a silent connection is closed as quickly as one that sends too slowly", async () => {
    const app = createApp({ place: { home: server.home }, host: server.host, port: () => 0, log: () => undefined });
    const quick = await listen(app, 0, { timeouts: { headers: 200, request: 1000, idle: 60_000, keepAlive: 1000 } });
    const socket = await open(quick.port, "");
    await closed(socket);
    await quick.close();
  });

  test("SECURITY row 21 a request may be worked on for longer than an idle connection is kept", async () => {
    const timeouts = { headers: 10_000, request: 60_000, idle: 50, keepAlive: 1000 };
    const slow = await listen(() => sleep(20 * timeouts.idle).then(() => new Response("done")), 0, { timeouts });
    const answers = ["GET", "POST"].map((method) =>
      fetch(`http://127.0.0.1:${slow.port}/`, { method, ...(method === "POST" ? { body: "asked" } : {}) }),
    );
    for (const answer of answers) expect(await (await answer).text()).toBe("done");
    await slow.close();
  });

  test("SECURITY row 21 a response that stops in the middle is closed", async () => {
    const timeouts = { headers: 10_000, request: 60_000, idle: 50, keepAlive: 1000 };
    const endless = new ReadableStream({ start: (to) => to.enqueue(Buffer.from("first")) });
    const stalled = await listen(() => new Response(endless), 0, { timeouts });
    const socket = await open(stalled.port, "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
    await closed(socket);
    await stalled.close();
  });
});

describe("SECURITY row 21 many requests", () => {
  test("SECURITY row 21 one token has at most 64 requests in flight: the next gets 429 with Retry-After, and other tokens do not", async () => {
    const { access_token: other } = await server.grant({ selections: [{ connection_id: connection }] });
    const ends: (() => void)[] = [];
    const held = Array.from({ length: 64 }, async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      ends.push(resolve);
      for (;;) {
        const body = ReadableStream.from(
          (async function* () {
            yield Buffer.from("\n");
            await promise;
          })(),
        );
        const response = await fetch(`${server.url}/v1/ingest/books?connection_id=${connection}`, {
          method: "POST",
          headers: { Authorization: `Bearer ${server.owner}` },
          body,
          duplex: "half",
        } as RequestInit);
        // The request below, which asks whether all are held, may have taken the last place for a moment.
        if (response.status !== 429) return response;
      }
    });
    await expect.poll(async () => (await server.get("/v1/schema")).status).toBe(429);
    const { headers, body } = await server.get("/v1/schema");
    expect([headers.get("retry-after"), body.error.code, body.error.type]).toEqual([
      "1",
      "rate_limit_exceeded",
      "rate_limit_error",
    ]);
    expect((await server.get("/v1/schema", { token: other })).status).toBe(200);
    for (const end of ends) end();
    for (const response of await Promise.all(held)) expect(response.status).toBe(200);
    expect((await server.get("/v1/schema")).status).toBe(200);
  });

  test("SECURITY row 21 an interrupted ingest stores only complete lines, and repeating it stores the rest", async () => {
    const place = await server.connect("library", "Broken off");
    const lines = Array.from(
      { length: 4000 },
      (_, n) => `${JSON.stringify({ ...book(`r${n}`, { notes: "x".repeat(1000) }), emitted_at: EMITTED })}\n`,
    );
    const whole = lines.join("");
    const count = async (): Promise<number> =>
      (await server.get("/v1/streams/books/records", { query: { connection_id: place, count: "exact", limit: 1 } }))
        .body.meta.count.value;
    const socket = await open(
      portOf(server.url),
      `POST /v1/ingest/books?connection_id=${place} HTTP/1.1\r\nHost: ${new URL(server.url).host}\r\nAuthorization: Bearer ${server.owner}\r\nContent-Length: ${Buffer.byteLength(whole)}\r\n\r\n`,
    );
    await new Promise((resolve) => socket.write(whole.slice(0, Math.floor(whole.length * 0.7)), resolve));
    await expect.poll(count).toBeGreaterThan(0);
    socket.destroy();
    const feed = () =>
      server.all("/v1/streams/books/records", {
        query: { connection_id: place, limit: 100, changes_since: "beginning" },
      });
    const records = await feed();
    expect(records.length).toBeLessThanOrEqual(2800);
    expect(records.map((record) => record.id)).toEqual(Array.from({ length: records.length }, (_, n) => `r${n}`));
    expect(new Set(records.map((record) => record.data.notes.length))).toEqual(new Set([1000]));
    const { body: report } = await server.call("POST", "/v1/ingest/books", {
      query: { connection_id: place },
      body: whole,
    });
    expect(report).toMatchObject({ records_accepted: 4000, records_rejected: 0 });
    expect(report.records_changed).toBeGreaterThanOrEqual(1200);
    expect(report.records_changed).toBeLessThanOrEqual(4000 - records.length);
    expect((await feed()).map((record) => record.id).sort()).toEqual(lines.map((_, n) => `r${n}`).sort());
    expect(await count()).toBe(4000);
  });
});
