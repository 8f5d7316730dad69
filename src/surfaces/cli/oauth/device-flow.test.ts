// Tests polling for device approval against servers that are slow or limit the polling rate.
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, expect, it } from "vitest";
import { InputNeeded } from "../command.ts";
import { connectByDevice, poll } from "./device-flow.ts";
import type { Discovered } from "./discover.ts";
import { OAuthRefusal } from "./exchange.ts";

const TOKENS = { access_token: "pdpp_at_x" };

it("waits as long as the server says, slows down when told to, and survives a network failure", async () => {
  const answers = ["authorization_pending", "slow_down", "authorization_pending", "slow_down"];
  const slept: number[] = [];
  const tokens = await poll({
    intervalSeconds: 2,
    sleep: async (seconds) => slept.push(seconds),
    async ask() {
      const refusal = answers.shift();
      if (refusal !== undefined) throw new OAuthRefusal(refusal, undefined);
      return TOKENS;
    },
  });
  expect([tokens, slept]).toEqual([TOKENS, [2, 2, 7, 7, 12]]);
});

let server: Server | undefined;
afterEach(() => server?.close());

/** Starts an authorization server that sends these responses. */
async function authorizationServer(answers: Record<string, [number, object]>): Promise<Discovered> {
  server = createServer(async (request, response) => {
    await text(request);
    const [status, body] = answers[request.url!]!;
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    issuer: origin,
    resource: `${origin}/mcp`,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
    device_authorization_endpoint: `${origin}/device`,
  };
}

const device = (expires_in: number, interval: number): [number, object] => [
  200,
  { device_code: "d", user_code: "BCDF-GHJK", verification_uri: "http://127.0.0.1/device", expires_in, interval },
];
const registered: [number, object] = [201, { client_id: "cli_x" }];

it.each<[string, [number, object], [number, object]]>([
  ["the server says that it expired", device(600, 0.01), [400, { error: "expired_token" }]],
  ["the time limit has passed", device(0.05, 10), [400, { error: "authorization_pending" }]],
])("E-24 reports that the code was not entered in time if %s", async (_when, answer, token) => {
  const discovered = await authorizationServer({ "/register": registered, "/device": answer, "/token": token });
  const said: string[] = [];
  const connecting = connectByDevice(discovered, { name: "desk", note: (line) => said.push(line) });
  await expect(connecting).rejects.toThrow(InputNeeded);
  await expect(connecting).rejects.toThrow("nobody answered in time; nothing was stored");
  expect(said[0]).toContain("type this code:\n  BCDF-GHJK");
});

it("returns the token that the server sent", async () => {
  const answers = {
    "/register": registered,
    "/device": device(600, 0.01),
    "/token": [200, TOKENS] as [number, object],
  };
  const connected = await connectByDevice(await authorizationServer(answers), { name: "desk", note: () => undefined });
  expect(connected).toEqual({ clientId: "cli_x", tokens: TOKENS });
});
