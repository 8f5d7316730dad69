// Tokens: their responses, rotation, introspection and revocation.
import * as oauth from "oauth4webapi";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { nextRefreshToken, REPEAT_MS } from "../../src/auth/next-refresh-token.ts";
import { HOME_OWNER, type Loose } from "../harness.ts";
import {
  approved,
  asDetails,
  connected,
  detail,
  exchange,
  HTTP,
  postForm,
  reads,
  refresh,
  refusal,
  register,
  secretOf,
  type World,
  world,
} from "./world.ts";

/** Longer than any of these tests takes on a slow machine. */
const MINUTES_MS = 10 * 60_000;

let it: World;
let client: oauth.Client;

beforeAll(async () => {
  it = await world();
  client = await register(it);
});
afterAll(() => it.close());

const introspect = async (asker: oauth.Client, token: string): Promise<Loose> =>
  oauth.processIntrospectionResponse(
    it.as,
    asker,
    await oauth.introspectionRequest(it.as, asker, secretOf(asker), token, HTTP),
  );
const revoke = async (asker: oauth.Client, token: string): Promise<unknown> =>
  oauth.processRevocationResponse(await oauth.revocationRequest(it.as, asker, secretOf(asker), token, HTTP));

describe("P-03 token responses", () => {
  test("a token response cannot be cached, and contains what was granted after the owner narrowed the request", async () => {
    const done = await approved(it, client, {
      parameters: asDetails(
        detail([
          { name: "books", instance_ids: [it.town] },
          { name: "authors", necessity: "optional" },
        ]),
      ),
      fields: ["title"],
      duration: "1d",
    });
    const response = await oauth.authorizationCodeGrantRequest(
      it.as,
      client,
      oauth.None(),
      done.params,
      done.redirect,
      done.verifier,
      HTTP,
    );
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("pragma")).toBe("no-cache");
    expect(response.headers.get("content-type")).toMatch(/^application\/json/);
    const tokens: Loose = await oauth.processAuthorizationCodeResponse(it.as, client, response);
    expect(tokens).toMatchObject({ token_type: "bearer", expires_in: 3600, scope: "read" });
    expect(tokens.access_token).toMatch(/^pdpp_at_[\w-]{43}$/);
    expect(tokens.refresh_token).toMatch(/^pdpp_rt_[\w-]{43}$/);
    expect(tokens.authorization_details).toEqual([
      expect.objectContaining({
        type: "https://pdpp.dev/data-access",
        access_mode: "continuous",
        grant_id: tokens.grant_id,
        streams: [{ name: "books", instance_ids: [it.town], fields: ["id", "title"] }],
      }),
    ]);
    const { data } = (await it.server.get("/v1/streams/books/records", { token: tokens.access_token })).body;
    expect(Object.keys(data[0].data).sort()).toEqual(["id", "title"]);
    expect(await reads(it.server, tokens.access_token, "/v1/streams/authors/records")).toEqual([
      403,
      "grant_stream_not_allowed",
    ]);
  });

  test("a token for one address of the records lens works at both addresses", async () => {
    for (const resource of ["/mcp", "/v1", "", "/"]) {
      const { tokens } = await connected(it, { client, parameters: { resource: it.url + resource } });
      expect(await reads(it.server, tokens.access_token)).toEqual([200]);
      const listed = await fetch(`${it.url}/mcp`, {
        method: "POST",
        headers: {
          Authorization: `Bearer ${tokens.access_token}`,
          "Content-Type": "application/json",
          Accept: "application/json, text/event-stream",
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
      });
      expect(listed.status).toBe(200);
    }
  });
});

describe("P-03 introspection", () => {
  test("describes a token to its own client", async () => {
    const { tokens } = await connected(it, { client, duration: "30d" });
    const told = await introspect(client, tokens.access_token);
    expect(told).toMatchObject({
      active: true,
      pdpp_token_kind: "client",
      client_id: client.client_id,
      grant_id: tokens.grant_id,
      authorization_details: tokens.authorization_details,
    });
    expect(told.subject_id).toMatch(/^sub_own_/);
    expect(told.exp - Date.now() / 1000).toBeLessThanOrEqual(3600);
    expect(await introspect(client, tokens.refresh_token)).toMatchObject({ active: true, grant_id: tokens.grant_id });
    expect(await introspect(client, "pdpp_at_unknown")).toEqual({ active: false });
  });

  test("reveals nothing to another client or to an unauthenticated caller", async () => {
    const { tokens } = await connected(it, { client });
    const other = await register(it, { token_endpoint_auth_method: "client_secret_basic" });
    expect(await introspect(other, tokens.access_token)).toEqual({ active: false });
    const at = it.as.introspection_endpoint!;
    const nobody = await postForm(at, { token: tokens.access_token });
    expect([nobody.status, nobody.body.error]).toEqual([400, "invalid_request"]);
    const wrong = await postForm(
      at,
      { token: tokens.access_token },
      { Authorization: `Basic ${Buffer.from(`${other.client_id}:wrong`).toString("base64")}` },
    );
    expect([wrong.status, wrong.body.error]).toEqual([401, "invalid_client"]);
    const unknown = await postForm(at, { token: tokens.access_token, client_id: "cli_nobody" });
    expect([unknown.status, unknown.body.error]).toEqual([401, "invalid_client"]);
    // A client with a secret must send it.
    const without = await postForm(at, { token: tokens.access_token, client_id: other.client_id });
    expect([without.status, without.body.error]).toEqual([401, "invalid_client"]);
  });

  test("P-04 returns mcp_package for a token with several grants", async () => {
    const { tokens } = await connected(it, {
      client,
      streams: [`${it.town}/books`, `${it.cabin}/books`, `${it.archive}/books`],
    });
    expect(tokens.grant_package_id).toMatch(/^gpkg_/);
    expect(tokens.grant_id).toBeUndefined();
    const told = await introspect(client, tokens.access_token);
    expect(told).toMatchObject({
      active: true,
      pdpp_token_kind: "mcp_package",
      grant_package_id: tokens.grant_package_id,
    });
    const read = told.authorization_details.flatMap((one: Loose) => one.streams.flatMap((s: Loose) => s.instance_ids));
    expect(new Set(read)).toEqual(new Set([it.town, it.cabin, it.archive]));
    for (const connection_id of [it.town, it.cabin, it.archive]) {
      const { status } = await it.server.get("/v1/streams/books/records", {
        token: tokens.access_token,
        query: { connection_id },
      });
      expect(status).toBe(200);
    }
  });

  test("reports the token of a revoked grant as inactive", async () => {
    const { tokens } = await connected(it, { client });
    await it.server.call("POST", `/v1/grants/${tokens.grant_id}/revoke`);
    expect(await introspect(client, tokens.access_token)).toEqual({ active: false });
    expect(await introspect(client, tokens.refresh_token)).toEqual({ active: false });
    expect(await reads(it.server, tokens.access_token)).toEqual([403, "grant_revoked"]);
    expect(await refusal(refresh(it, client, tokens.refresh_token))).toBe("invalid_grant");
  });
});

describe("P-03 revocation by the client", () => {
  test("revoking an access token invalidates only that token", async () => {
    const { tokens } = await connected(it, { client });
    const second = await refresh(it, client, tokens.refresh_token);
    await revoke(client, tokens.access_token);
    expect(await reads(it.server, tokens.access_token)).toEqual([401, "authentication_error"]);
    expect(await reads(it.server, second.access_token)).toEqual([200]);
    expect(await reads(it.server, (await refresh(it, client, second.refresh_token)).access_token)).toEqual([200]);
  });

  test("revoking a refresh token ends the whole grant", async () => {
    const { tokens } = await connected(it, { client });
    await revoke(client, tokens.refresh_token);
    expect(await reads(it.server, tokens.access_token)).toEqual([403, "grant_revoked"]);
    expect(await refusal(refresh(it, client, tokens.refresh_token))).toBe("invalid_grant");
    const { status } = (await it.server.get(`/v1/grants/${tokens.grant_id}`)).body;
    expect(status).toBe("revoked");
  });

  test("another client's token cannot be revoked", async () => {
    const { tokens } = await connected(it, { client });
    const other = await register(it);
    await revoke(other, tokens.access_token).catch(() => undefined);
    await revoke(other, tokens.refresh_token).catch(() => undefined);
    expect(await reads(it.server, tokens.access_token)).toEqual([200]);
    expect(await reads(it.server, (await refresh(it, client, tokens.refresh_token)).access_token)).toEqual([200]);
  });
});

describe("SECURITY row 9: refresh tokens", () => {
  test("each refresh token returns new tokens once", async () => {
    const { tokens } = await connected(it, { client });
    const second = await refresh(it, client, tokens.refresh_token);
    expect(second.refresh_token).not.toBe(tokens.refresh_token);
    expect(second.authorization_details).toEqual(tokens.authorization_details);
    const third = await refresh(it, client, second.refresh_token);
    for (const { access_token } of [tokens, second, third]) expect(await reads(it.server, access_token)).toEqual([200]);
  });

  const isDead = async (...all: Loose[]): Promise<void> => {
    for (const { access_token, refresh_token } of all) {
      expect(await reads(it.server, access_token)).toEqual([403, "grant_revoked"]);
      expect(await refusal(refresh(it, client, refresh_token))).toBe("invalid_grant");
    }
  };
  /** Stops the clock, so that a slow machine does not use up the seconds in which a token can be reused. */
  beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: Date.now() }));
  afterEach(() => void vi.useRealTimers());
  // The engine has a separate clock, which keeps running.
  const afterRepeats = (): void => void vi.setSystemTime(Date.now() + MINUTES_MS + REPEAT_MS);

  test("reuse after the grace period revokes the whole family and its grant", async () => {
    const { tokens } = await connected(it, { client });
    const second = await refresh(it, client, tokens.refresh_token);
    afterRepeats();
    expect(await refusal(refresh(it, client, tokens.refresh_token))).toBe("invalid_grant");
    await isDead(tokens, second);
    expect((await it.server.get(`/v1/grants/${tokens.grant_id}`)).body.status).toBe("revoked");
  });

  test("C-01 20 concurrent refreshes all get the same next token, and the app continues with it", async () => {
    for (let round = 0; round < 3; round++) {
      const { tokens } = await connected(it, { client });
      const won = await Promise.all(Array.from({ length: 20 }, () => refresh(it, client, tokens.refresh_token)));
      expect(new Set(won.map(({ refresh_token }) => refresh_token)).size).toBe(1);
      for (const { access_token } of [tokens, ...won]) expect(await reads(it.server, access_token)).toEqual([200]);
      const next = await refresh(it, client, won[0]!.refresh_token);
      expect(next.refresh_token).not.toBe(won[0]!.refresh_token);
      expect(await reads(it.server, next.access_token)).toEqual([200]);
      // Once the next token has been used, reuse of the first one cannot be a race.
      expect(await refusal(refresh(it, client, tokens.refresh_token))).toBe("invalid_grant");
      await isDead(tokens, next, ...won);
    }
  });

  test("if a thief races the app, both get the same token, and the second use of it revokes the family", async () => {
    const { tokens } = await connected(it, { client });
    const [own, stolen] = [
      await refresh(it, client, tokens.refresh_token),
      await refresh(it, client, tokens.refresh_token),
    ];
    const later = await refresh(it, client, own.refresh_token);
    afterRepeats();
    expect(await refusal(refresh(it, client, stolen.refresh_token))).toBe("invalid_grant");
    await isDead(tokens, own, stolen, later);
    expect((await it.server.get(`/v1/grants/${tokens.grant_id}`)).body.ended_by).toBe("reuse");
  });

  test("an old token together with another home's secret does not reveal the next token", async () => {
    const { tokens } = await connected(it, { client });
    const { refresh_token } = await refresh(it, client, tokens.refresh_token);
    expect(nextRefreshToken("another secret", tokens.refresh_token)).not.toBe(refresh_token);
    const { secret } = await it.server.host.call("webSecret", {}, HOME_OWNER);
    expect(nextRefreshToken(secret, tokens.refresh_token)).toBe(refresh_token);
  });

  test("a refresh token can be reused within seconds, but only by the same client", async () => {
    const { tokens } = await connected(it, { client });
    const other = await register(it);
    const second = await refresh(it, client, tokens.refresh_token);
    expect(await refusal(refresh(it, other, tokens.refresh_token))).toBe("invalid_grant");
    expect(await refusal(refresh(it, other, second.refresh_token))).toBe("invalid_grant");
    expect((await refresh(it, client, tokens.refresh_token)).refresh_token).toBe(second.refresh_token);
  });

  test("another client's refresh token returns nothing and stays valid", async () => {
    const { tokens } = await connected(it, { client });
    const other = await register(it);
    expect(await refusal(refresh(it, other, tokens.refresh_token))).toBe("invalid_grant");
    expect(await reads(it.server, (await refresh(it, client, tokens.refresh_token)).access_token)).toEqual([200]);
  });

  test("a refresh token is not accepted as a bearer token", async () => {
    const { tokens } = await connected(it, { client });
    expect(await reads(it.server, tokens.refresh_token)).toEqual([401, "authentication_error"]);
  });
});

describe("X-07 duration of access", () => {
  test("once: one token, no refresh token, no second exchange", async () => {
    const done = await approved(it, client, { duration: "once" });
    const tokens = await exchange(it, done);
    expect(tokens.refresh_token).toBeUndefined();
    expect(tokens.expires_in).toBeLessThanOrEqual(3600);
    expect(tokens.authorization_details[0].access_mode).toBe("single_use");
    expect(await reads(it.server, tokens.access_token)).toEqual([200]);
    expect(await reads(it.server, tokens.access_token)).toEqual([200]);
    expect(await refusal(exchange(it, done))).toBe("invalid_grant");
  });

  const HOUR = 3600;
  test.each([
    ["1h", HOUR],
    ["1d", 24 * HOUR],
    ["30d", 30 * 24 * HOUR],
    ["forever", undefined],
  ])("%s: the grant expires at that time, and no token outlives it", async (duration, seconds) => {
    const { tokens } = await connected(it, { client, duration });
    const [granted] = tokens.authorization_details;
    const told = await introspect(client, tokens.access_token);
    if (seconds === undefined) expect(granted.expires_at).toBeUndefined();
    else {
      const { grant } = (await it.server.get(`/v1/grants/${tokens.grant_id}`)).body;
      expect(Date.parse(granted.expires_at) - Date.parse(grant.issued_at)).toBe(seconds * 1000);
      expect(told.exp * 1000).toBeLessThanOrEqual(Date.parse(granted.expires_at));
    }
    expect(tokens.expires_in).toBeLessThanOrEqual(HOUR);
    expect(tokens.refresh_token).toBeDefined();
  });
});
