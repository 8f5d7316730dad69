// P-01: the headers of every /v1 response, and the checks that every route makes first.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ERRORS } from "../../src/contract/errors.ts";
import { ROUTES } from "../../src/engine/calls/calls.ts";
import { type Query, type TestServer, testServer } from "../harness.ts";

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const addressOf = (path: string): string => path.replace(/\{(\w+)\}/g, "x");
const bodyOf = (method: string) => (method === "GET" || method === "DELETE" ? {} : { body: "{}" });

describe("P-01 headers", () => {
  const PLACES = [
    "/",
    "/openapi.json",
    "/docs/errors",
    "/.well-known/oauth-protected-resource/v1",
    "/v1/schema",
    "/v1/nothing",
    "/nothing",
    "/v1",
  ];

  test.each(PLACES)(
    "P-01 %s has PDPP-Version, Request-Id and the headers that keep browsers from rendering it",
    async (path) => {
      const { headers } = await server.get(path);
      expect(headers.get("pdpp-version")).toBe("2026-04-06");
      expect(headers.get("request-id")).toMatch(/^req_[\w-]{10,}$/);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("cache-control")).toBe("private, no-store");
      expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    },
  );

  test("P-01 a well-formed Request-Id is returned in the header and in the error", async () => {
    const { headers, body } = await server.get("/v1/nothing", { headers: { "Request-Id": "my-Request_1" } });
    expect(headers.get("request-id")).toBe("my-Request_1");
    expect(body.error.request_id).toBe("my-Request_1");
  });

  test.each(["has space", "a".repeat(101), 'quote"', "<script>", "ümlaut"])(
    "P-01 the malformed Request-Id %j is replaced",
    async (id) => {
      const { headers } = await server.get("/v1/schema", {
        headers: { "Request-Id": Buffer.from(id).toString("latin1") },
      });
      expect(headers.get("request-id")).toMatch(/^req_/);
    },
  );

  test.each(["/v1/schema", "/v1/nothing", "/", "/openapi.json"])(
    "P-01 an unsupported PDPP-Version on %s is refused, and the supported one is accepted",
    async (path) => {
      const refused = await server.get(path, { headers: { "PDPP-Version": "2020-01-01" } });
      expect([refused.status, refused.body.error.code, refused.body.error.param]).toEqual([
        400,
        "unsupported_version",
        "PDPP-Version",
      ]);
      expect(refused.headers.get("pdpp-version")).toBe("2026-04-06");
      const taken = await server.get(path, { headers: { "PDPP-Version": "2026-04-06", Accept: "application/json" } });
      expect(taken.body.error?.code).not.toBe("unsupported_version");
    },
  );

  test("P-01 HEAD responds like GET, without a body", async () => {
    const { status, headers, text } = await server.call("HEAD", "/v1/schema");
    expect([status, headers.get("content-type"), text]).toEqual([200, "application/json", ""]);
  });
});

describe("P-01 every route", () => {
  const each = ROUTES.map((route) => [`${route.method} ${route.path}`, route] as const);

  const guarded = each.filter(([, { access }]) => access !== "anyone");
  test.each(guarded)("P-01 %s without a token gets 401 and says where to get one", async (_name, { method, path }) => {
    for (const token of [null, "", "pdpp_at_unknown", "two words"]) {
      const { status, headers, body } = await server.call(method, addressOf(path), { token, ...bodyOf(method) });
      expect([status, body.error.code, body.error.type]).toEqual([401, "authentication_error", "authentication_error"]);
      expect(headers.get("www-authenticate")).toBe(
        `Bearer resource_metadata="${server.url}/.well-known/oauth-protected-resource/v1", scope="read"`,
      );
    }
  });

  test.each(each)(
    "P-01 %s refuses an unknown parameter and lists the known ones",
    async (_name, { method, path, parameters }) => {
      for (const name of ["surprise", "Connection_id", "limit[]", "__proto__", "constructor", "connection_id[x]", ""]) {
        if (name === "limit[]" && !("limit" in parameters)) continue;
        const { status, body } = await server.call(method, addressOf(path), {
          query: [[name, "1"]],
          ...bodyOf(method),
        });
        expect([status, body.error.code, body.error.param], name).toEqual([400, "invalid_request", name]);
        for (const known of Object.keys(parameters)) expect(body.error.next_step).toContain(known);
      }
    },
  );

  test.each(each)("P-01 %s refuses a parameter given twice", async (_name, { method, path, parameters }) => {
    for (const [name, kind] of Object.entries(parameters)) {
      if (kind !== "text" && kind !== "integer") continue;
      const { status, body } = await server.call(method, addressOf(path), {
        query: [
          [name, "1"],
          [name, "1"],
        ],
        ...bodyOf(method),
      });
      expect([status, body.error.code, body.error.param], name).toEqual([400, "invalid_request", name]);
    }
  });

  test.each([...new Set(ROUTES.map(({ path }) => path))])(
    "P-01 %s responds to an unsupported method with 405 and Allow",
    async (path) => {
      const offered = ROUTES.filter((route) => route.path === path || addressOf(route.path) === addressOf(path)).map(
        ({ method }) => method,
      );
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
        if (offered.includes(method as "GET")) continue;
        const { status, headers, body } = await server.call(method, addressOf(path));
        expect([status, body.error.code], method).toEqual([405, "method_not_allowed"]);
        const allowed = headers.get("allow")!.split(", ");
        expect(allowed).toEqual(expect.arrayContaining(offered));
        expect(allowed.includes("HEAD")).toBe(offered.includes("GET"));
      }
    },
  );

  const owned = ROUTES.filter(({ access }) => access === "owner").map(
    (route) => [`${route.method} ${route.path}`, route] as const,
  );
  test.each(owned)("P-01 P-02 %s is only for the owner", async (_name, { method, path, streams }) => {
    await server.register("solo", declarationOf("solo")).catch(() => undefined);
    const connection = await server.connect("solo");
    const { access_token: token } = await server.grant({ selections: [{ connection_id: connection }] });
    const bodies: Record<string, unknown> = {
      "/v1/connections": { connector_id: "solo" },
      "/v1/connections/{connection_id}": { display_name: "x" },
      "/v1/state/{connector}": { state: {} },
      "/v1/grants": { all: true },
    };
    const query: Query = streams === "blob-upload" ? { stream: "things" } : {};
    const ask = { token, query, ...(method === "GET" || method === "DELETE" ? {} : { body: bodies[path] ?? {} }) };
    const { status, body } = await server.call(method, addressOf(path), ask);
    expect([status, body.error.code]).toEqual([403, "insufficient_scope"]);
  });
});

describe("P-01 errors", () => {
  test("P-01 an error has type, code, message, next step, request id and a link to its documentation", async () => {
    const { body } = await server.get("/v1/streams/none/records");
    expect(Object.keys(body)).toEqual(["error"]);
    expect(body.error).toEqual({
      type: "not_found_error",
      code: "not_found",
      message: 'no stream "none" here',
      param: "stream",
      next_step: ERRORS.not_found.next,
      request_id: expect.stringMatching(/^req_/),
      doc_url: "/docs/errors#not_found",
    });
    const page = await server.get("/docs/errors");
    for (const code of Object.keys(ERRORS)) expect(page.text).toContain(`id="${code}"`);
  });

  test("P-01 a path that is not percent-encoded UTF-8 is refused with invalid_path", async () => {
    for (const path of ["/v1/streams/%E0%A4%A/records", "/v1/streams/x/records/%FF"]) {
      const { status, body } = await server.get(path);
      expect([status, body.error.code]).toEqual([400, "invalid_path"]);
    }
  });

  test("P-01 an unknown path returns not_found to authenticated callers", async () => {
    for (const path of ["/v1/", "/v1/streams/x/y/z/q", "/v1/schema/", "/v2/schema", "/v1"]) {
      const { status, body } = await server.get(path);
      expect([status, body.error.code]).toEqual([404, "not_found"]);
    }
  });

  test("P-01 a body that is not a JSON object is refused", async () => {
    for (const body of [
      "",
      "{",
      "[]",
      "null",
      "3",
      '"x"',
      "{} {}",
      "[".repeat(100_000),
      `{"a":${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}}`,
    ]) {
      for (const [method, path] of [
        ["POST", "/v1/connections"],
        ["PUT", "/v1/connectors/x"],
      ] as const) {
        const { status, body: answer } = await server.call(method, path, { body });
        expect(status, `${path} ${body.slice(0, 20)}`).toBe(400);
        expect(["invalid_request", "invalid_declaration"]).toContain(answer.error.code);
      }
    }
  });
});

function declarationOf(name: string) {
  return {
    protocol_version: "0.1.0",
    source: { kind: "connector", id: `https://test.example/${name}` },
    declaration_version: "1",
    publisher: { id: "test" },
    display: { name },
    streams: [
      {
        name: "things",
        semantics: "mutable_state",
        primary_key: ["id"],
        schema: { type: "object", properties: { id: { type: "string" } } },
      },
    ],
  };
}

test("P-01 a URL that is too long is refused with a typed error", async () => {
  const { status, body, headers } = await server.get(`/v1/schema?stream=${"x".repeat(20_000)}`);
  expect([status, body.error.code, headers.get("pdpp-version")]).toEqual([431, "resource_limit", "2026-04-06"]);
});
