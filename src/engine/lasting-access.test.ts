// G-04: a session cannot create lasting access if the password was entered more than ten minutes ago.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { declaration } from "../../test/non-interference/world.ts";
import { openSqliteStore, prepareHome } from "../store/sqlite/sqlite-store.ts";
import type { Credential } from "./caller.ts";
import { CALLS, type CallName, callNamed } from "./calls/calls.ts";
import type { EngineHost } from "./host.ts";
import { localHost } from "./local-host.ts";

const HOME: Credential = { home: true };
const MINUTE = 60_000;
const home = mkdtempSync(join(tmpdir(), "pdpp-lasting-"));
let now = Date.UTC(2026, 0, 1);
let host: EngineHost;
let session: Credential;

beforeAll(async () => {
  prepareHome(home);
  host = localHost(openSqliteStore(home), { home, persist: false, now: () => now });
  await host.call("putSetupCode", { code: "code" }, HOME);
  await host.call("setOwner", { code: "code", name: "Nora", password: "stored hash" }, HOME);
  await host.call("putConnector", { connector_key: "world", declaration }, HOME);
  await host.call("createConnection", { connector_id: "world" }, HOME);
});
beforeEach(async () => {
  const opened = await host.call("openSession", { label: "", checked: "stored hash" }, HOME);
  session = { token: opened.session };
});
afterAll(async () => {
  await host.close();
  rmSync(home, { recursive: true, force: true });
});

const codeOf = async (name: CallName, query: object, credential: Credential): Promise<string> => {
  const failure = await host.call(name, query as never, credential).then(
    () => undefined,
    (error: unknown) => error as { code: string },
  );
  return failure?.code ?? "ok";
};

const manifest = JSON.parse(readFileSync(new URL("../connectors/imap/connector.json", import.meta.url), "utf8"));
const setup = (settings: Record<string, string>, secrets: Record<string, string>) => ({
  place: "built-in/imap",
  manifest,
  settings,
  secrets,
});

describe("G-04 a connector", () => {
  it("G-04 accepts the secrets that were entered for a check only if the server is still the same", async () => {
    const tried = setup({ host: "imap.example.org", user: "nora" }, { password: "entered once" });
    const { manifest: _, ...checked } = tried;
    const { sealed } = await host.call("checkConnector", checked, HOME);
    expect(sealed).not.toContain("entered once");
    const elsewhere = { ...tried, settings: { host: "evil.example", user: "nora" }, secrets: {}, sealed };
    await expect(host.call("putSetup", elsewhere, HOME)).rejects.toThrow("the server address changed");
    const { connection_id } = await host.call("putSetup", { ...tried, secrets: {}, sealed }, HOME);
    expect((await host.call("runnableSetup", { connection_id }, HOME)).opened).toEqual({ password: "entered once" });
  });

  it("G-04 loses its stored secrets when it is pointed at another server, and the response lists them", async () => {
    const given = setup({ host: "imap.example.org", user: "nora" }, { password: "kept" });
    const { connection_id } = await host.call("putSetup", given, HOME);
    const put = async (query: object): Promise<string[] | undefined> =>
      (await host.call("putSettings", { connection_id, ...query }, HOME)).discarded_secrets;
    const stored = async (): Promise<object> => (await host.call("runnableSetup", { connection_id }, HOME)).opened;
    expect([await put({ settings: { folders: "INBOX", host: "imap.example.org" } }), await stored()]).toEqual([
      undefined,
      { password: "kept" },
    ]);
    expect([await put({ settings: { host: "evil.example" } }), await stored()]).toEqual([["password"], {}]);
    await put({ secrets: { password: "for evil.example" } });
    const both = { settings: { host: "imap.example.org" }, secrets: { password: "new" } };
    expect([await put(both), await stored()]).toEqual([undefined, { password: "new" }]);
  });
});

describe("G-04 a session", () => {
  it("G-04 issues grants for ten minutes after the password was entered, then requires it again", async () => {
    now += 10 * MINUTE - 1;
    expect(await codeOf("issueGrant", { all: true }, session)).toBe("ok");
    now += 1;
    expect(await codeOf("issueGrant", { all: true }, session)).toBe("password_required");
    expect(await codeOf("enterPassword", { checked: "another hash" }, session)).toBe("authentication_error");
    expect(await codeOf("issueGrant", { all: true }, session)).toBe("password_required");
    await host.call("enterPassword", { checked: "stored hash" }, session);
    expect(await codeOf("issueGrant", { all: true }, session)).toBe("ok");
  });

  it("G-04 requires the password on the first call if it was opened without one", async () => {
    const opened = await host.call("openSession", { label: "" }, HOME);
    expect(await codeOf("issueOwnerToken", {}, { token: opened.session })).toBe("password_required");
  });

  it("G-04 needs a recent password for every call that creates lasting access, before anything else is checked", async () => {
    now += 10 * MINUTE;
    const queries: Partial<Record<CallName, object>> = {
      issueGrant: { all: true },
      issueOwnerToken: {},
      resumeGrant: { id: "grt_x" },
      putSettings: { connection_id: "cin_x", settings: { host: "evil.example" } },
      answerCollect: { id: "job_x", request_id: "r", values: {}, remember: true },
      allowEventHost: { host: "192.168.1.20:8123", client_id: "cli_any" },
      createSubscription: { url: "https://app.example/hook", grant_id: "grt_x" },
      changeSubscription: { id: "sub_x", url: "https://app.example/hook" },
      rotateSubscriptionSecret: { id: "sub_x" },
      watchFolder: { folder: "/", every_seconds: 3600 },
      setSearchModel: { url: "http://127.0.0.1:9/v1", name: "model" },
      recentPassword: {},
      addAuthenticator: { secret: "GEZDGNBVGY3TQOJQ", code: "000000" },
      addPasskey: {
        id: "id",
        name: "Phone",
        public_key: "key",
        counter: 0,
        transports: [],
        server: "data.example.org",
        challenge: "challenge",
        challenge_until: 0,
      },
      removeSecondFactor: { id: "authenticator" },
      newRecoveryCodes: {},
      checkConnector: { place: "built-in/imap", settings: {}, secrets: {} },
      putSetup: setup({ host: "imap.example.org", user: "nora" }, {}),
    };
    for (const [name, query] of Object.entries(queries))
      expect([name, await codeOf(name as CallName, query, session)]).toEqual([name, "password_required"]);
    // Approvals need long queries, which the consent page's tests cover.
    const shown = ["approveConsent", "approveFiles"];
    const creating = (Object.keys(CALLS) as CallName[]).filter((name) => callNamed(name).lastingAccess !== undefined);
    expect(creating.sort()).toEqual([...Object.keys(queries), ...shown].sort());
  });

  it("G-04 revokes, pauses and deletes without a password", async () => {
    const { grant_package_id } = await host.call("issueGrant", { all: true }, HOME);
    const id = grant_package_id!;
    now += 10 * MINUTE;
    expect(await codeOf("revokeGrant", { id }, session)).not.toBe("password_required");
    expect(await codeOf("changeSubscription", { id: "sub_x", status: "paused" }, session)).toBe("not_found");
    expect(await codeOf("disallowEventHost", { host: "192.168.1.20:8123", client_id: "cli_any" }, session)).not.toBe(
      "password_required",
    );
    expect(await codeOf("putSettings", { connection_id: "cin_x", secrets: { password: null } }, session)).not.toBe(
      "password_required",
    );
    expect(await codeOf("endSessions", { id: "all" }, session)).toBe("ok");
  });

  it("G-04 owner tokens and the home need no password", async () => {
    const made = await host.call("issueOwnerToken", {}, HOME);
    now += 10 * MINUTE;
    expect(await codeOf("issueGrant", { all: true }, { token: made.access_token })).toBe("ok");
    expect(await codeOf("issueGrant", { all: true }, HOME)).toBe("ok");
  });
});
