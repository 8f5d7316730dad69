// C-08: the reference CLI's requests, exactly as it sends them.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Loose } from "../harness.ts";
import { typeUserCode } from "./approve.ts";
import { answer, reads, type World, world } from "./world.ts";

let it: World;
beforeAll(async () => {
  it = await world();
});
afterAll(() => it.close());

const post = async (url: string, body: unknown): Promise<{ status: number; body: Loose }> => {
  const response = await fetch(url, {
    method: "POST",
    headers: { Accept: "application/json", "Content-Type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
};

const registered = async (): Promise<string> =>
  (await post(it.as.registration_endpoint!, { client_name: "PDPP CLI", token_endpoint_auth_method: "none" })).body
    .client_id;
const start = async (more: Record<string, string> = {}): Promise<Loose> => {
  const asked = { resource: it.url, scope: "pdpp:read", client_name: "PDPP CLI", client_id: await registered() };
  return post(it.as.agent_connect_endpoint as string, { ...asked, ...more });
};

describe("C-08 the reference's connect command", () => {
  test("C-08 registers without a redirect address, and gets the device flow", async () => {
    const { status, body } = await post(it.as.registration_endpoint!, {
      client_name: "PDPP CLI",
      token_endpoint_auth_method: "none",
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      response_types: [],
      grant_types: ["urn:ietf:params:oauth:grant-type:device_code", "refresh_token"],
    });
  });

  test("C-08 an app that requests authorization codes still needs a redirect address", async () => {
    for (const more of [{ grant_types: ["authorization_code"] }, { redirect_uris: [] }]) {
      const { status, body } = await post(it.as.registration_endpoint!, {
        token_endpoint_auth_method: "none",
        ...more,
      });
      expect([status, body.error]).toEqual([400, expect.stringMatching(/^invalid_(client_metadata|redirect_uri)$/)]);
    }
  });

  test("C-08 starts, is approved by the owner, and reads the schema", async () => {
    const { status, body: started } = await start();
    expect(status).toBe(200);
    expect(started.approval_url).toBe(`${it.url}/device?user_code=${started.user_code}`);
    expect(started).not.toHaveProperty("device_code");
    const poll = () => post(started.poll_url, { polling_code: started.polling_code });
    expect(await poll()).toMatchObject({ status: 200, body: { status: "pending" } });
    // Polling too soon does not end the flow either.
    expect(await poll()).toMatchObject({ status: 200, body: { status: "pending" } });
    const page = await typeUserCode(it.browser, started.user_code);
    expect(page.html).toContain("to the device that showed you the code");
    await answer(it.browser, page, { streams: [`${it.town}/books`] });
    const { body: approved } = await poll();
    expect(approved).toMatchObject({ status: "approved", token_type: "Bearer", scope: "read" });
    expect(Date.parse(approved.expires_at)).toBeGreaterThan(Date.now());
    expect(await reads(it.server, approved.access_token)).toEqual([200]);
  });

  test("C-08 denied, unknown and malformed requests return errors that its client understands", async () => {
    const { body: started } = await start();
    await answer(it.browser, await typeUserCode(it.browser, started.user_code), { decision: "deny" });
    const denied = await post(started.poll_url, { polling_code: started.polling_code });
    expect([denied.status, denied.body.error]).toEqual([400, "access_denied"]);
    for (const body of [{}, { polling_code: "x" }, { polling_code: "cli_x.y" }, "[", "null", "x".repeat(20_000)]) {
      const { status } = await post(started.poll_url, body);
      expect([400, 401]).toContain(status);
    }
    expect([400, 401]).toContain((await start({ client_id: "cli_nobody" })).status);
    expect([400, 401]).toContain((await start({ resource: "https://evil.example" })).status);
    expect((await fetch(it.as.agent_connect_endpoint as string)).status).toBe(405);
  });

  test("C-08 a code works once and only for its own client", async () => {
    const { body: started } = await start();
    const [, code] = started.polling_code.split(".");
    const other = await post(started.poll_url, { polling_code: `${await registered()}.${code}` });
    expect([other.status, other.body.error]).toEqual([400, "invalid_grant"]);
  });

  test("C-08 the metadata has the fields that the client reads", async () => {
    const { body } = await it.server.get("/.well-known/oauth-protected-resource", { token: null });
    expect(body.capabilities.client_event_subscriptions.supported).toBe(true);
    expect(body.pdpp_agent_discovery.cli.no_owner_token).toBe(true);
    expect(it.as).toMatchObject({
      agent_connect_endpoint: `${it.url}/oauth/agent-connect`,
      pdpp_registration_modes_supported: ["dynamic"],
    });
  });
});
