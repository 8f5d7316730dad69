// Malformed requests to every endpoint of the authorization server lead to typed OAuth errors or pages, never to an
// internal error.
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Loose, type TestServer, testServer } from "../harness.ts";

let server: TestServer;
let clientId: string;
let callers = 0;

beforeAll(async () => {
  server = await testServer({ publicUrl: "https://data.example.org", proxies: { addresses: ["127.0.0.1"] } });
  const response = await fetch(`${server.url}/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ redirect_uris: ["http://127.0.0.1/cb"], token_endpoint_auth_method: "none" }),
  });
  clientId = ((await response.json()) as Loose).client_id;
});
afterAll(() => server.close());

const NAMES = [
  ..."client_id client_secret redirect_uri response_type response_mode code_challenge code_challenge_method state scope".split(
    " ",
  ),
  ..."resource authorization_details client_display request request_uri prompt max_age claims nonce id_token_hint".split(
    " ",
  ),
  ..."login_hint acr_values ui_locales grant_type code code_verifier refresh_token device_code token token_type_hint".split(
    " ",
  ),
  ..."user_code xsrf confirm abort dpop_jkt client_assertion client_assertion_type registration display".split(" "),
];

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.string({ maxLength: 40 }),
  fc.constantFrom(
    "",
    "none",
    "code",
    "S256",
    "read",
    "[]",
    "{}",
    "null",
    "-1",
    "1e99",
    "\u0000",
    "%",
    "../..",
    "x".repeat(3000),
  ),
  fc.constantFrom("http://127.0.0.1/cb", "authorization_code", "refresh_token", "https://data.example.org/mcp"),
  fc.constantFrom("pdpp_at_x", "pdpp_rt_x", "https://", "urn:ietf:params:oauth:grant-type:device_code", "__proto__"),
  fc.json({ maxDepth: 2 }),
  fc
    .json({ maxDepth: 2 })
    .map((json) => `[{"type":"https://pdpp.dev/data-access","streams":[${json}],"source":${json}}]`),
);
const parameters = fc.array(fc.tuple(fc.constantFrom(...NAMES), text), { maxLength: 8 });
const known = fc.option(
  fc.constant([
    ["client_id", "CLIENT"],
    ["redirect_uri", "http://127.0.0.1/cb"],
    ["response_type", "code"],
  ] as [string, string][]),
  { nil: [] },
);

const asks = fc.record({
  place: fc.constantFrom(
    "GET /oauth/authorize",
    "POST /oauth/authorize",
    "POST /oauth/token",
    "POST /oauth/par",
    "POST /oauth/device",
    "POST /oauth/revoke",
    "POST /oauth/introspect",
    "POST /oauth/register",
    "GET /device",
    "POST /device",
    "GET /oauth/interaction/x",
    "POST /oauth/interaction/x",
    "GET /oauth/authorize/x",
    "GET /device/x",
    "POST /login",
    "POST /setup",
    "GET /setup",
    "GET /login",
  ),
  fields: fc.tuple(known, parameters).map(([one, other]) => [...one, ...other]),
  cookie: fc.constantFrom(
    "",
    "pdpp_as=x; pdpp_as.sig=x",
    "__Host-pdpp_form=x; __Host-pdpp_session=pdpp_session_x",
    "pdpp_as_interaction=x",
  ),
  authorization: fc.constantFrom("", "Basic x", "Basic Og==", "Bearer x", "DPoP x"),
  html: fc.boolean(),
});

const tooDeep = `${'{"a":'.repeat(3000)}1${"}".repeat(3000)}`;

test("random requests never cause status 500 and never log an error", async () => {
  await fc.assert(
    fc.asyncProperty(asks, async ({ place, fields, cookie, authorization, html }) => {
      const [method, path] = place.split(" ") as [string, string];
      const pairs = fields.map(([name, value]): [string, string] => [name, value.replace("CLIENT", clientId)]);
      const form = new URLSearchParams(pairs).toString();
      const isJson = path === "/oauth/register";
      callers++;
      const response = await fetch(`${server.url}${path}${method === "GET" ? `?${form.slice(0, 10_000)}` : ""}`, {
        method,
        redirect: "manual",
        headers: {
          accept: html ? "text/html" : "application/json",
          "x-forwarded-for": `10.1.${callers >> 8}.${callers & 255}`,
          ...(cookie === "" ? {} : { cookie }),
          ...(authorization === "" ? {} : { authorization }),
          ...(method === "GET"
            ? {}
            : { "content-type": isJson ? "application/json" : "application/x-www-form-urlencoded" }),
        },
        ...(method === "GET" ? {} : { body: isJson ? JSON.stringify(Object.fromEntries(pairs)) : form }),
      });
      const body = await response.text();
      expect([place, response.status < 500, body.includes("server_error")]).toEqual([place, true, false]);
      const location = response.headers.get("location") ?? "";
      expect(location).toMatch(/^$|^\/|^https:\/\/data\.example\.org\/|^http:\/\/127\.0\.0\.1\/cb[?#]/);
      expect(location).not.toMatch(/[?&#]code=/);
    }),
    { numRuns: Number(process.env.POSTERN_RUNS ?? 600) },
  );
  expect(server.log).toEqual([]);
});

test("deep and huge bodies are refused without logging an error", async () => {
  for (const [path, type, body] of [
    ["/oauth/register", "application/json", tooDeep],
    ["/oauth/register", "application/json", "[".repeat(50_000)],
    [
      "/oauth/par",
      "application/x-www-form-urlencoded",
      `client_id=${clientId}&authorization_details=${"[".repeat(30_000)}`,
    ],
    [
      "/oauth/par",
      "application/x-www-form-urlencoded",
      `client_id=${clientId}&authorization_details=${encodeURIComponent(`[${tooDeep}]`)}`,
    ],
    ["/oauth/token", "application/x-www-form-urlencoded", "a=1&".repeat(10_000)],
    ["/oauth/token", "multipart/form-data; boundary=x", "--x--"],
    ["/oauth/token", "application/x-www-form-urlencoded; charset=utf-7", "a=1"],
    [
      "/oauth/register",
      "application/json",
      JSON.stringify({ redirect_uris: ["http://127.0.0.1/cb"], __proto__: 1, client_name: "x" }).replace(
        "client_name",
        "__proto__",
      ),
    ],
  ] as const) {
    callers++;
    const response = await fetch(server.url + path, {
      method: "POST",
      headers: { "content-type": type, "x-forwarded-for": `10.2.0.${callers & 255}` },
      body,
    });
    expect([path, response.status < 500]).toEqual([path, true]);
    await response.arrayBuffer();
  }
  expect(server.log).toEqual([]);
});
