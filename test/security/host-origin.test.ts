// Row 1: DNS rebinding. A foreign Host or Origin is refused on every route, before any other check.
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROUTES } from "../../src/engine/calls/calls.ts";
import { FILE_ROUTES } from "../../src/surfaces/files/routes.ts";
import { type TestServer, testServer } from "../harness.ts";

let server: TestServer;
let published: TestServer;
beforeAll(async () => {
  server = await testServer();
  published = await testServer({ publicUrl: "https://data.example.org" });
});
afterAll(async () => {
  await server.close();
  await published.close();
});

const PLACES = [
  ...[...ROUTES, ...FILE_ROUTES].map(({ method, path }) => [method, path.replace(/\{(\w+)\}/g, "x")] as const),
  ["GET", "/"],
  ["GET", "/openapi.json"],
  ["GET", "/docs/errors"],
  ["GET", "/.well-known/oauth-protected-resource/v1"],
  ["GET", "/mcp"],
  ["POST", "/mcp"],
  ["GET", "/nothing"],
  ["POST", "/"],
  ["OPTIONS", "/v1/schema"],
] as [string, string][];

/** Sends the request exactly as written, because fetch does not allow a custom Host header. */
function raw(to: TestServer, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(to.url).port), "127.0.0.1", () => socket.write(text));
    let answer = "";
    socket.setEncoding("utf8");
    socket.on("data", (part) => {
      answer += part;
    });
    socket.on("end", () => resolve(answer));
    socket.on("error", reject);
  });
}

async function statusOf(
  to: TestServer,
  method: string,
  path: string,
  headers: Record<string, string>,
): Promise<[status: number, code: string | undefined]> {
  const lines = Object.entries({ Authorization: `Bearer ${to.owner}`, Connection: "close", ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const answer = await raw(to, `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n`);
  return [Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]), /"code":"(\w+)"/.exec(answer)?.[1]];
}

const ownHost = (to: TestServer): string => new URL(to.url).host;

describe("SECURITY row 1 every route", () => {
  test.each(PLACES)("row 1 %s %s refuses a foreign Host", async (method, path) => {
    const { port } = new URL(server.url);
    for (const host of [
      "evil.example",
      `evil.example:${port}`,
      "127.0.0.1",
      `127.0.0.1.evil.example:${port}`,
      "data.example.org",
    ]) {
      expect(await statusOf(server, method, path, { Host: host }), host).toEqual([403, "forbidden_origin"]);
    }
  });

  test.each(PLACES)("row 1 %s %s never serves a request with a malformed Host", async (method, path) => {
    for (const host of [
      `localhost:${new URL(server.url).port}.evil.example`,
      "a b",
      "evil@127.0.0.1",
      "127.0.0.1:99999",
      "%00",
      "",
    ]) {
      expect([400, 403], host).toContain((await statusOf(server, method, path, { Host: host }))[0]);
    }
  });

  test.each(PLACES)("row 1 %s %s refuses a foreign Origin, including null", async (method, path) => {
    const { port } = new URL(server.url);
    for (const origin of [
      "https://evil.example",
      "null",
      `https://127.0.0.1:${port}`,
      "http://127.0.0.1",
      "http://localhost:1",
      "file://",
      "",
      "chrome-extension://abc",
    ]) {
      expect(await statusOf(server, method, path, { Host: ownHost(server), Origin: origin }), origin).toEqual([
        403,
        "forbidden_origin",
      ]);
    }
  });

  test.each(PLACES)("row 1 %s %s never serves a request without a Host", async (method, path) => {
    const [status] = await statusOf(server, method, path, {});
    expect([400, 403]).toContain(status);
    const old = await raw(server, `${method} ${path} HTTP/1.0\r\nAuthorization: Bearer ${server.owner}\r\n\r\n`);
    expect(old).toMatch(/^HTTP\/1\.1 40[03]/);
  });
});

describe("SECURITY row 1 the server's own address", () => {
  test("SECURITY row 1 is accepted with or without its Origin", async () => {
    expect((await statusOf(server, "GET", "/v1/schema", { Host: ownHost(server) }))[0]).toBe(200);
    expect((await statusOf(server, "GET", "/v1/schema", { Host: ownHost(server), Origin: server.url }))[0]).toBe(200);
  });

  test("SECURITY row 1 loopback names on which it does not listen are refused, and the error says which one to use", async () => {
    const { port } = new URL(server.url);
    for (const name of ["localhost", "LOCALHOST", "[::1]"]) {
      const asked = `GET /v1/schema HTTP/1.1\r\nHost: ${name}:${port}\r\nConnection: close\r\n\r\n`;
      const answer = await raw(server, asked);
      expect(answer).toMatch(/^HTTP\/1\.1 403/);
      expect(answer).toContain(`Use ${server.url} instead.`);
      const origin = `http://${name.toLowerCase()}:${port}`;
      expect((await statusOf(server, "GET", "/v1/schema", { Host: ownHost(server), Origin: origin }))[0]).toBe(403);
    }
  });

  test("SECURITY row 1 with --public-url, the public address and the server's own address are accepted, and no others", async () => {
    const ask = (host: string, origin?: string) =>
      statusOf(published, "GET", "/v1/schema", { Host: host, ...(origin === undefined ? {} : { Origin: origin }) });
    expect((await ask("data.example.org"))[0]).toBe(200);
    expect((await ask("data.example.org", "https://data.example.org"))[0]).toBe(200);
    expect((await ask(ownHost(published)))[0]).toBe(200);
    expect(await ask("data.example.org", "http://data.example.org")).toEqual([403, "forbidden_origin"]);
    expect(await ask("www.data.example.org")).toEqual([403, "forbidden_origin"]);
    expect(await ask("data.example.org", "null")).toEqual([403, "forbidden_origin"]);
  });

  test("SECURITY row 1 no response allows another origin to read it", async () => {
    const { headers } = await server.get("/v1/schema", { headers: { Origin: server.url } });
    expect([...headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
  });

  test("SECURITY row 1 two Host headers, or an address in the request line, change nothing", async () => {
    const twice = await raw(
      server,
      `GET /v1/schema HTTP/1.1\r\nHost: ${ownHost(server)}\r\nHost: evil.example\r\nConnection: close\r\n\r\n`,
    );
    expect(twice).toMatch(/^HTTP\/1\.1 40[013]/);
    const absolute = await raw(
      server,
      `GET http://evil.example/v1/schema HTTP/1.1\r\nHost: evil.example\r\nAuthorization: Bearer ${server.owner}\r\nConnection: close\r\n\r\n`,
    );
    expect(absolute).toMatch(/^HTTP\/1\.1 40[03]/);
  });
});
