// P-07: tools for operators of a running server: probes, a log line per request, and metrics.
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { COMPONENTS } from "../src/contract/components.ts";
import type { ServerOptions } from "../src/main.ts";
import { addHostile } from "./connectors/hostile-connector.ts";
import { startReceiver, subscribed, until } from "./events/receiver.ts";
import { ndjson, type TestServer, testServer } from "./harness.ts";
import { BOOKS, book, library } from "./library.ts";

type RequestLine = Parameters<NonNullable<NonNullable<ServerOptions["operating"]>["onRequest"]>>[0];

const TOKEN = "metrics-token-of-a-test";
const lines: RequestLine[] = [];
let server: TestServer;
let published: TestServer;
let plain: TestServer;
beforeAll(async () => {
  const operating = { metrics: { token: TOKEN }, onRequest: (line: RequestLine) => void lines.push(line) };
  [server, published, plain] = await Promise.all([
    testServer({ operating }),
    testServer({ publicUrl: "https://data.example.org", operating: { metrics: { token: TOKEN } } }),
    testServer(),
  ]);
  await server.register("library", library);
});
afterAll(() => Promise.all([server, published, plain].map((one) => one.close())));
afterEach(() => {
  lines.length = 0;
});

interface Said {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** Sends a request over a socket, because fetch does not allow a custom Host header. */
function ask(to: TestServer, path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Said> {
  return new Promise((resolve, reject) => {
    const sent = request(to.url + path, { method, headers, agent: false }, (answer) => {
      text(answer).then((body) => resolve({ status: answer.statusCode!, headers: answer.headers, body }), reject);
    });
    sent.on("error", reject).end();
  });
}

describe("P-07 probes", () => {
  it("P-07 /healthz and /readyz respond to a request without a Host header, such as one from a load balancer with HTTP/1.0", async () => {
    for (const [path, status] of [
      ["/healthz", 200],
      ["/readyz", 200],
      ["/v1/schema", 400],
    ] as const) {
      const socket = connect(Number(new URL(plain.url).port), "127.0.0.1");
      socket.write(`GET ${path} HTTP/1.0\r\n\r\n`);
      expect(await text(socket)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    }
  });

  it("P-07 /healthz and /readyz respond to every caller, with any Host header, uncached", async () => {
    for (const host of [new URL(plain.url).host, "10.0.0.7:7887", "10.0.0.7", "some.pod.internal"]) {
      const alive = await ask(plain, "/healthz", { Host: host });
      const ready = await ask(plain, "/readyz?from=lb", { Host: host });
      expect([alive.status, alive.body, ready.status, ready.body]).toEqual([
        200,
        '{"status":"ok"}',
        200,
        '{"status":"ready"}',
      ]);
      for (const { headers } of [alive, ready]) {
        expect(headers["cache-control"]).toContain("no-store");
        expect(headers["request-id"]).toMatch(/^req_/);
      }
      expect(COMPONENTS.Liveness.safeParse(JSON.parse(alive.body)).success).toBe(true);
      expect(COMPONENTS.Ready.safeParse(JSON.parse(ready.body)).success).toBe(true);
    }
  });

  it("P-07 only these two paths accept a foreign Host, and they refuse a foreign Origin", async () => {
    for (const path of ["/healthz/", "/readyz/x", "/healthz%2F", "/Healthz", "/", "/metrics", "/v1/schema"])
      expect((await ask(server, path, { Host: "10.0.0.7" })).status, path).toBe(403);
    for (const path of ["/healthz", "/readyz"]) {
      expect((await ask(plain, path, { Origin: "https://evil.example" })).status).toBe(403);
      const posted = await ask(plain, path, {}, "POST");
      expect([posted.status, posted.headers.allow]).toEqual([405, "GET, HEAD"]);
      expect(await ask(plain, path, {}, "HEAD")).toMatchObject({ status: 200, body: "" });
    }
  });

  it("P-07 probes are not in the audit log", async () => {
    const count = async () => (await plain.get("/v1/activity")).body.data.length;
    const before = await count();
    for (let probe = 0; probe < 20; probe++) await ask(plain, "/readyz");
    // The previous request to the activity log added one line.
    expect(await count()).toBe(before + 1);
  });
});

describe("P-07 a log line for each request", () => {
  const SECRET = "pdpp_at_secret";

  it("P-07 has the same request id as the response and the audit log, and the pattern of its route", async () => {
    const connection = await server.connect("library");
    await server.ingest("books", connection, BOOKS);
    await until(() => lines.some(({ route }) => route === "/v1/ingest/{stream}"));
    lines.length = 0;
    const id = "my-request-1";
    const { headers } = await server.get("/v1/streams/books/records", {
      query: { connection_id: connection, limit: 1 },
      headers: { "Request-Id": id },
    });
    await until(() => lines.length > 0);
    expect(lines).toEqual([
      {
        request_id: id,
        method: "GET",
        route: "/v1/streams/{stream}/records",
        status: 200,
        ms: expect.any(Number),
        bytes: expect.any(Number),
      },
    ]);
    expect(lines[0]!.bytes).toBeGreaterThan(200);
    expect(headers.get("request-id")).toBe(id);
    const { body } = await server.get("/v1/activity");
    expect(body.data.map((line: { request_id: string }) => line.request_id)).toContain(id);
  });

  it("P-07 contains nothing from the URL or the body", async () => {
    for (const path of [`/v1/streams/${SECRET}/records?cursor=${SECRET}`, `/${SECRET}`, `/dashboard/${SECRET}`])
      await server.get(path, { token: SECRET, headers: { Cookie: SECRET, "Request-Id": "told" } });
    const told = () => lines.filter((line) => line.request_id === "told");
    await until(() => told().length === 3);
    expect(told().map(({ route, status }) => [route, status])).toEqual([
      ["/v1/streams/{stream}/records", 401],
      ["(none)", 404],
      ["/dashboard/{page}", expect.any(Number)],
    ]);
    expect(JSON.stringify(lines)).not.toContain(SECRET);
  });

  it("P-07 is written even if the client disconnects before the response", async () => {
    const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
    const { host } = new URL(server.url);
    socket.write(`POST /v1/connections HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${server.owner}\r\n`);
    socket.write("Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{");
    await until(async () => (await numbers(server)).postern_http_requests_in_flight! >= 2);
    socket.destroy();
    await until(() => lines.some(({ aborted }) => aborted === true));
    expect(lines.find(({ aborted }) => aborted)).toMatchObject({ method: "POST", route: "/v1/connections" });
    // The only remaining request is the metrics request itself.
    await until(async () => (await numbers(server)).postern_http_requests_in_flight === 1);
  });
});

const SAMPLE = /^([a-z_]+)(\{(?:[a-z_]+="(?:[^"\\\n]|\\["\\n])*",?)+\})? (\S+)$/;

async function numbers(of: TestServer): Promise<Record<string, number>> {
  const { body } = await ask(of, "/metrics");
  const samples = body.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return Object.fromEntries(
    samples.map((line) => {
      const [, name, labels = "", value] = SAMPLE.exec(line) ?? [];
      if (name === undefined || Number.isNaN(Number(value))) throw new Error(`not a sample: ${line}`);
      return [name + labels, Number(value)];
    }),
  );
}

describe("P-07 metrics", () => {
  it("P-07 metrics are not found unless the operator enables them", async () => {
    const absent = await ask(plain, "/metrics", { Authorization: `Bearer ${TOKEN}` });
    const unknown = await ask(plain, "/metricz");
    expect(absent.status).toBe(404);
    const settled = ({ body }: Said, path: string): string => body.replace(/req_[\w-]+/, "").replaceAll(path, "PATH");
    expect(settled(absent, "/metrics")).toBe(settled(unknown, "/metricz"));
  });

  it("P-07 metrics can be read from this machine or with the token, and a proxy does not count as this machine", async () => {
    const bearer = { Authorization: `Bearer ${TOKEN}` };
    const statuses = async (to: TestServer, headers: Record<string, string>, method = "GET") =>
      (await ask(to, "/metrics", headers, method)).status;
    expect(await statuses(server, {})).toBe(200);
    expect(await statuses(server, bearer)).toBe(200);
    expect(await statuses(server, { "X-Forwarded-For": "203.0.113.9" })).toBe(404);
    expect(await statuses(server, { "X-Forwarded-For": "203.0.113.9", ...bearer })).toBe(200);
    expect(await statuses(server, { Authorization: `Bearer ${TOKEN}x` })).toBe(404);
    expect(await statuses(server, { Authorization: `Bearer ${server.owner}` })).toBe(404);
    expect(await statuses(server, {}, "POST")).toBe(404);
    expect(await statuses(published, {})).toBe(404);
    expect(await statuses(published, { Host: "data.example.org", ...bearer })).toBe(200);
  });

  it("P-07 metrics are in the text format, with help and type, and their labels contain only route patterns", async () => {
    await server.get("/v1/schema");
    await server.get("/v1/streams/nothing-here/records");
    const { body, headers } = await ask(server, "/metrics");
    expect(headers["content-type"]).toBe("text/plain; version=0.0.4; charset=utf-8");
    expect(body.endsWith("\n")).toBe(true);
    let current = "";
    const types: Record<string, string> = {};
    for (const line of body.trimEnd().split("\n")) {
      const [, what, name, rest] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
      if (what === "HELP") {
        expect(types).not.toHaveProperty(name!);
        current = name!;
      } else if (what === "TYPE") {
        expect(name).toBe(current);
        types[name!] = rest!;
      } else {
        const sample = SAMPLE.exec(line);
        expect(sample, line).not.toBeNull();
        const suffix = types[current] === "histogram" ? "_(?:bucket|sum|count)" : "";
        expect(sample![1]).toMatch(new RegExp(`^${current}${suffix}$`));
      }
    }
    expect(types).toEqual({
      postern_http_requests_total: "counter",
      postern_http_request_duration_seconds: "histogram",
      postern_engine_calls_total: "counter",
      postern_events_total: "counter",
      postern_jobs: "gauge",
      postern_homes_open: "gauge",
      postern_http_requests_in_flight: "gauge",
      postern_engine_calls_in_flight: "gauge",
      postern_event_loop_lag_seconds: "gauge",
      process_resident_memory_bytes: "gauge",
      process_cpu_seconds_total: "counter",
      process_start_time_seconds: "gauge",
      postern_uptime_seconds: "gauge",
      postern_build_info: "gauge",
    });
    expect(body).not.toContain("nothing-here");
  });

  it("P-07 metrics count requests, engine calls and jobs", async () => {
    const name = 'postern_http_requests_total{route="/v1/schema",method="GET",status="2xx"}';
    const count = 'postern_http_request_duration_seconds_count{route="/v1/schema"}';
    const calls = 'postern_engine_calls_total{lane="rows",outcome="authentication_error"}';
    const before = await numbers(server);
    for (let call = 0; call < 3; call++) await server.get("/v1/schema");
    await server.get("/v1/schema", { token: "pdpp_at_nobody" });
    await until(async () => (await numbers(server))[count] === (before[count] ?? 0) + 4);
    // Jobs also make calls now and then, so wait until none is in flight.
    await until(async () => (await numbers(server))['postern_engine_calls_in_flight{lane="rows"}'] === 0);
    const after = await numbers(server);
    expect(after[name]).toBe((before[name] ?? 0) + 3);
    expect(after[calls]).toBe((before[calls] ?? 0) + 1);
    expect(after['postern_jobs{kind="import",status="running"}']).toBe(0);
    expect(after.process_resident_memory_bytes).toBeGreaterThan(1e7);
  });

  it("P-07 metrics count events by the result of each delivery attempt", async () => {
    const receiver = await startReceiver();
    try {
      const connection = await server.connect("library");
      const app = await server.grant({ selections: [{ connection_id: connection }] });
      const { access_token: token } = app;
      const { id } = await subscribed(server, app, receiver);
      const tried = async (outcome: string) =>
        (await numbers(server))[`postern_events_total{outcome="${outcome}"}`] ?? 0;
      // This delivery is the challenge.
      await until(async () => (await tried("delivered")) === 1);
      receiver.answer = (_delivery, response) => void response.writeHead(500).end();
      await server.call("POST", `/v1/event-subscriptions/${id}/test-event`, { token });
      await until(async () => (await tried("failed")) === 1);
    } finally {
      await receiver.close();
    }
  });

  it("P-07 the number of metrics does not grow with the variety of requests", async () => {
    const size = async () => Object.keys(await numbers(server)).length;
    await server.get("/v1/streams/s0/records");
    await server.get("/p0");
    await until(() => lines.some(({ route }) => route === "(none)"));
    await size();
    await until(() => lines.some(({ route }) => route === "/metrics"));
    const before = await size();
    for (let call = 1; call < 50; call++) {
      await server.get(`/v1/streams/s${call}/records`);
      await server.get(`/p${call}`);
    }
    expect(await size()).toBe(before);
  });
});

describe("P-07 stopping a server", () => {
  it("P-07 ends event streams immediately, and waits for running requests", async () => {
    const stopping = await testServer();
    await stopping.register("library", library);
    const connection = await stopping.connect("library");
    const { connectionId } = await addHostile(stopping.host, "never-finishes");
    const run = await stopping.call("POST", `/v1/connections/${connectionId}/runs`, { body: {} });
    const bearer = { Authorization: `Bearer ${stopping.owner}` };
    const events = await fetch(`${stopping.url}/api/jobs/${run.body.run_id}`, {
      headers: { ...bearer, Accept: "text/event-stream" },
    });
    expect(events.headers.get("content-type")).toBe("text/event-stream");
    const upload = request(`${stopping.url}/v1/ingest/books?connection_id=${connection}`, {
      method: "POST",
      headers: bearer,
    });
    const answered = once(upload, "response") as Promise<[IncomingMessage]>;
    upload.write(ndjson([book("one")]));
    // Once a later request on another connection has a response, the headers of the upload have arrived.
    await stopping.get("/v1/connections");

    const closed = stopping.close();
    await expect(events.text()).rejects.toThrow();
    await expect(fetch(`${stopping.url}/healthz`)).rejects.toThrow();
    upload.end(ndjson([book("two")]));
    const [answer] = await answered;
    expect([answer.statusCode, JSON.parse(await text(answer)).records_accepted]).toEqual([200, 2]);
    await closed;
  });
});
