// Tokens and grants when the clock jumps: expired ones stay expired, and setting the clock back restores nothing.

import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { library } from "../../../test/library.ts";
import type { GrantSummary } from "../../contract/grant.ts";
import { filesDeclaration } from "../../files/declaration.ts";
import { openSqliteStore, prepareHome } from "../../store/sqlite/sqlite-store.ts";
import { hashToken } from "../caller.ts";
import type { EngineHost } from "../host.ts";
import { localHost } from "../local-host.ts";
import { waitingRequest } from "../write/consent.fixture.ts";

const OWNER = { home: true } as const;
const HOUR = 3_600_000;
const START = Date.parse("2026-01-01T12:00:00Z");

let home: string;
let host: EngineHost;
let now: number;

beforeEach(async () => {
  now = START;
  home = mkdtempSync(join(tmpdir(), "pdpp-clock-"));
  prepareHome(home);
  host = localHost(openSqliteStore(home), { home, persist: false, now: () => now });
  await host.call("putConnector", { connector_key: "library", declaration: library }, OWNER);
  await host.call("createConnection", { connector_id: "library" }, OWNER);
});
afterEach(async () => {
  await host.close();
  rmSync(home, { recursive: true });
});

/** An approval and its token, as the authorization server creates them. */
async function approve(duration: "once" | "1h" | "forever"): Promise<string> {
  const client = { client_id: "cli_clock", name: "Clock", redirect_uri: "http://127.0.0.1/cb" };
  const offer = await host.call("consentOffer", { client }, OWNER);
  const { connection_id, stream } = offer.streams[0]!;
  const choice = { streams: [{ connection_id, stream }], duration, ai_training: false };
  const request = randomUUID();
  await host.call("putAuthItem", waitingRequest(request), OWNER);
  const approval = await host.call("approveConsent", { client, request, digest: offer.digest, choice }, OWNER);
  return approval.id;
}

const issue = (id: string, token: string, expiresAt: number): Promise<object> =>
  host.call("issueToken", { hash: hashToken(token), id, audience: "records", expiresAt }, OWNER);
const read = (token: string): Promise<object> => host.call("schema", {}, { token });

describe("P-03 time", () => {
  it("a token expires after an hour, or with its grant if that is sooner", async () => {
    const id = await approve("1h");
    await issue(id, "pdpp_at_short", START + 60_000);
    await issue(id, "pdpp_at_long", START + 24 * HOUR);
    await read("pdpp_at_short");
    now = START + 60_000;
    await expect(read("pdpp_at_short")).rejects.toMatchObject({ code: "token_expired" });
    await read("pdpp_at_long");
    now = START + HOUR;
    await expect(read("pdpp_at_long")).rejects.toMatchObject({ code: "token_expired" });
    await expect(issue(id, "pdpp_at_late", START + 48 * HOUR)).rejects.toMatchObject({ code: "grant_invalid" });
  });

  it("setting the clock back neither expires nor restores a token", async () => {
    const id = await approve("forever");
    await issue(id, "pdpp_at_one", START + HOUR);
    now = START - 48 * HOUR;
    await read("pdpp_at_one");
    await host.call("revokeGrant", { id }, OWNER);
    now = START - 96 * HOUR;
    await expect(read("pdpp_at_one")).rejects.toMatchObject({ code: "grant_revoked" });
  });

  it("a single-use grant yields one token, whatever the clock does in between", async () => {
    const id = await approve("once");
    const tries = await Promise.allSettled(
      ["a", "b", "c", "d"].map((name) => issue(id, `pdpp_at_${name}`, START + HOUR)),
    );
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    now = START - HOUR;
    await expect(issue(id, "pdpp_at_again", START)).rejects.toMatchObject({ code: "grant_consumed" });
  });

  it("P-01 a single-use grant is active while its token is valid, and consumed afterwards", async () => {
    const id = await approve("once");
    await issue(id, "pdpp_at_once", START + HOUR);
    const statusOf = async (): Promise<string> => ((await host.call("grant", { id }, OWNER)) as GrantSummary).status;
    const listed = async (status: "active" | "consumed"): Promise<number> =>
      (await host.call("grants", { status }, OWNER)).data.length;
    now = START + HOUR - 1;
    await read("pdpp_at_once");
    expect([await statusOf(), await listed("active"), await listed("consumed")]).toEqual(["active", 1, 0]);
    now = START + HOUR;
    await expect(read("pdpp_at_once")).rejects.toMatchObject({ code: "token_expired" });
    expect([await statusOf(), await listed("active"), await listed("consumed")]).toEqual(["consumed", 0, 1]);
  });

  it("S-13 tokens for the files lens expire too, and a package token shows only the grants that are still valid", async () => {
    await host.call("putConnector", { connector_key: "files", declaration: filesDeclaration }, OWNER);
    for (const display_name of ["/a", "/b"]) {
      await host.call("createConnection", { connector_id: "files", display_name }, OWNER);
    }
    const issued = await host.call("issueGrant", { files: {}, expires_in_seconds: 3600 }, OWNER);
    const { access_token: token } = issued;
    const enter = () => host.call("filesBearer", { action: "cd" }, { token });
    const paths = async () => (await enter()).roots.map(({ path }) => path);
    expect((await enter()).expires_at).toBe(new Date(START + HOUR).toISOString());
    now = START + HOUR - 1;
    expect(await paths()).toEqual(["/a", "/b"]);
    const [first] = (await enter()).roots;
    await host.call("revokeGrant", { id: first!.grant_id! }, OWNER);
    expect(await paths()).toEqual(["/b"]);
    now = START + HOUR;
    await expect(enter()).rejects.toMatchObject({ code: "token_expired" });
  });
});
