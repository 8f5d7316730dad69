// V-13, SECURITY row 29: second factors over HTTP, used by the owner and attacked by someone who knows the password.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fromBase32, oneTimePassword } from "../../src/core/totp.ts";
import { hashToken } from "../../src/engine/caller.ts";
import { newSetupLink } from "../../src/surfaces/web/sign-in.ts";
import { HOME_OWNER, type TestServer, testServer } from "../harness.ts";
import { freePort } from "./free-port.ts";
import { formWith, logIn, OWNER, type OwnerBrowser, ownerBrowser, type Page, setUp } from "./owner-browser.ts";
import { type Ceremony, softwarePasskey } from "./software-passkey.ts";

const PAGE = "/dashboard/settings/sign-in";

interface World {
  server: TestServer;
  /** Uses a host name, because browsers do not allow passkeys for an IP address. */
  origin: string;
  /** A signed-in browser. */
  owner: OwnerBrowser;
  close(): Promise<void>;
}

async function world(): Promise<World> {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const server = await testServer({ port, publicUrl: origin });
  const owner = ownerBrowser(origin);
  await setUp(owner, await newSetupLink(server.host, origin));
  return { server, origin, owner, close: () => server.close() };
}

const send = (browser: OwnerBrowser, page: Page, field: string, values: Record<string, string>): Promise<Page> => {
  const { action, fields } = formWith(page, field);
  return browser.post(action, [...fields.filter(([name]) => !(name in values)), ...Object.entries(values)]);
};

const isIn = ({ html }: Page): boolean => html.includes('class="owner-name"');
const codesIn = ({ html }: Page): string[] => html.match(/\b(?:[a-z2-7]{4}-){3}[a-z2-7]{4}\b/g) ?? [];
const sessions = async ({ host }: TestServer): Promise<number> =>
  (await host.call("sessions", {}, HOME_OWNER)).data.length;
/** Returns the options that a page passes to a passkey. */
const asked = ({ html }: Page): Ceremony["options"] =>
  JSON.parse(/data-passkey="([^"]+)"/.exec(html)![1]!.replaceAll("&quot;", '"'));

describe("V-13 an authenticator app", () => {
  let it: World;
  let secret: Uint8Array;
  let recovery: string[];
  beforeAll(async () => {
    it = await world();
  });
  afterAll(() => it.close());
  const codeOf = (shift = 0): string => oneTimePassword(secret, Math.floor(Date.now() / 30_000) + shift);
  const start = async (browser: OwnerBrowser): Promise<Page> => logIn(browser, await browser.get("/login"));

  test("V-13 is set up with the password and a code from the app, and recovery codes are shown once", async () => {
    const { owner } = it;
    const session = hashToken(owner.cookies.get("pdpp_session")!);
    await it.server.host.call("deleteAuthItem", { kind: "RecentPassword", hash: session }, HOME_OWNER);
    const password = await send(owner, await owner.get(PAGE), "do", { do: "start" });
    expect(password.html).toContain("Enter your password to continue");
    const setup = await send(owner, password, "confirm_password", { confirm_password: OWNER.password });
    const shown = formWith(setup, "secret").fields.find(([name]) => name === "secret")![1];
    secret = fromBase32(shown)!;
    expect([secret.length, setup.html.includes("<svg")]).toEqual([20, true]);
    const wrong = await send(owner, setup, "secret", { code: "000000" });
    expect(wrong.html).toContain("That code does not match this secret");
    const added = await send(owner, wrong, "secret", { code: codeOf(-1) });
    recovery = codesIn(added);
    expect(recovery).toHaveLength(10);
    expect(codesIn(await owner.get(PAGE))).toEqual([]);
    const kept = await it.server.host.call("secondFactors", {}, HOME_OWNER);
    expect(JSON.stringify([kept, (await it.server.get(`${PAGE}.json`)).body])).not.toContain(shown);
  });

  test("V-13 the password alone does not sign in on the page, in the engine, or with a forged or stolen ticket", async () => {
    const before = await sessions(it.server);
    const browser = ownerBrowser(it.origin);
    const step = await start(browser);
    expect([step.status, isIn(step), step.html.includes("One more step")]).toEqual([200, false, true]);
    expect([browser.cookies.has("pdpp_session"), (await browser.get("/dashboard")).status]).toEqual([false, 401]);
    const { pending } = Object.fromEntries(formWith(step, "pending").fields);
    const empty = await send(browser, step, "pending", { code: "" });
    expect([empty.status, isIn(empty)]).toEqual([401, false]);
    // The ticket is bound to this browser, so another browser that learned it cannot use it.
    const other = ownerBrowser(it.origin);
    const page = await other.get("/login");
    for (const forged of [
      pending!,
      "9999999999999.AAAAAAAAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    ]) {
      const refused = await send(other, page, "password", { name: "", password: "", pending: forged, code: codeOf() });
      expect([refused.status, isIn(refused)]).toEqual([401, false]);
    }
    const { password } = await it.server.host.call("ownerAccount", {}, HOME_OWNER);
    for (const how of [{ checked: password }, {}])
      await expect(it.server.host.call("openSession", { label: "", ...how }, HOME_OWNER)).rejects.toThrow(
        "needs a second factor",
      );
    expect(await sessions(it.server)).toBe(before);
  });

  test("V-13 a code can be used for one sign-in and is refused if sent again; a recovery code works once", async () => {
    const code = codeOf();
    const browser = ownerBrowser(it.origin);
    expect(
      isIn(await send(browser, await start(browser), "pending", { code: `${code.slice(0, 3)} ${code.slice(3)}` })),
    ).toBe(true);
    const again = ownerBrowser(it.origin);
    const replayed = await send(again, await start(again), "pending", { code });
    expect([replayed.status, replayed.html.includes("was used before")]).toEqual([401, true]);
    expect(isIn(await send(again, replayed, "pending", { code: recovery[0]!.toUpperCase() }))).toBe(true);
    const third = ownerBrowser(it.origin);
    expect((await send(third, await start(third), "pending", { code: recovery[0]! })).status).toBe(401);
    expect((await it.server.get(`${PAGE}.json`)).body.factors.recovery_codes_left).toBe(9);
  });

  test("V-13 wrong codes are counted like wrong passwords, and a reset from the terminal removes the second factor", async () => {
    const browser = ownerBrowser(it.origin);
    let page = await start(browser);
    let tries = 0;
    // Another attempt is allowed every 30 seconds, so a slow machine needs a few more attempts to reach the limit.
    while (page.status !== 429 && tries++ < 40) page = await send(browser, page, "pending", { code: "000000" });
    expect([page.status, page.headers.get("retry-after")]).toEqual([429, expect.stringMatching(/^\d+$/)]);
    expect(isIn(await setUp(ownerBrowser(it.origin), await newSetupLink(it.server.host, it.origin)))).toBe(true);
    const { required, recovery_codes_left } = await it.server.host.call("secondFactors", {}, HOME_OWNER);
    expect([required, recovery_codes_left]).toEqual([false, 0]);
  });
});

describe("V-13 a passkey", () => {
  let it: World;
  const mine = softwarePasskey();
  let counter = 5;
  beforeAll(async () => {
    it = await world();
  });
  afterAll(() => it.close());
  const answerOf = (page: Page, more: Partial<Ceremony> = {}, passkey = mine): string =>
    passkey.use({ options: asked(page), origin: it.origin, counter: ++counter, ...more });

  test("V-13 is added only with a genuine response to this page", async () => {
    const { owner, origin } = it;
    const page = await owner.get(PAGE);
    const add = async (passkey: string): Promise<Page> => send(owner, page, "passkey", { passkey, name: "Key ring" });
    const elsewhere = mine.create({ options: asked(page), origin: "https://evil.example" });
    const unverified = mine.create({ options: asked(page), origin, unverified: true });
    for (const wrong of [elsewhere, unverified, "{}", "not JSON"])
      expect((await add(wrong)).status).toBeGreaterThanOrEqual(400);
    const right = mine.create({ options: asked(page), origin });
    expect(codesIn(await add(right))).toHaveLength(10);
    expect((await add(right)).html).toContain("was used before");
    expect((await it.server.get(`${PAGE}.json`)).body.factors.passkeys).toMatchObject([
      { name: "Key ring", server: "localhost" },
    ]);
  });

  test("V-13 signs in without the password, once per response", async () => {
    const browser = ownerBrowser(it.origin);
    const page = await browser.get("/login");
    // Synced passkeys have no counter, so only the challenge prevents a replay.
    const passkey = answerOf(page, { counter: 0 });
    const before = new Map(browser.cookies);
    expect(isIn(await send(browser, page, "passkey", { passkey }))).toBe(true);
    // Sends the same response with the same cookies, as someone who read the traffic would.
    const thief = ownerBrowser(it.origin);
    for (const [name, value] of before) thief.cookies.set(name, value);
    const replayed = await send(thief, page, "passkey", { passkey });
    expect([replayed.status, isIn(replayed)]).toEqual([401, false]);
    expect(replayed.html).toContain("was used before");
    expect(isIn(await send(thief, replayed, "passkey", { passkey: answerOf(replayed) }))).toBe(true);
  });

  test("V-13 a passkey is refused if it belongs to another owner, origin, page or browser, is unverified, or was copied", async () => {
    const browser = ownerBrowser(it.origin);
    const page = await browser.get("/login");
    const settings = await it.owner.get(PAGE);
    const { fields } = formWith(settings, "passkey");
    const wrong = {
      "another owner": answerOf(page, {}, softwarePasskey()),
      "another origin": answerOf(page, { origin: "https://evil.example" }),
      "another server": answerOf(page, { options: { ...asked(page), rpId: "evil.example" } }),
      "another page": answerOf(settings),
      "another browser": answerOf(await ownerBrowser(it.origin).get("/login")),
      unverified: answerOf(page, { unverified: true }),
      copied: answerOf(page, { counter: 1 }),
      "made up": answerOf(page, { options: { ...asked(page), challenge: "AAAA" } }),
    };
    expect(fields.length).toBeGreaterThan(0);
    const before = await sessions(it.server);
    for (const [what, passkey] of Object.entries(wrong)) {
      const refused = await send(browser, page, "passkey", { passkey });
      expect([what, refused.status, isIn(refused)]).toEqual([what, 401, false]);
    }
    expect(await sessions(it.server)).toBe(before);
    expect(isIn(await send(browser, page, "passkey", { passkey: answerOf(page) }))).toBe(true);
  });

  test("V-13 can be used instead of the password when the page asks for it again, and can be removed there", async () => {
    const { owner, server } = it;
    const session = hashToken(owner.cookies.get("pdpp_session")!);
    await server.host.call("deleteAuthItem", { kind: "RecentPassword", hash: session }, HOME_OWNER);
    const page = await owner.get(PAGE);
    const { id } = (await server.get(`${PAGE}.json`)).body.factors.passkeys[0];
    const question = await send(owner, page, "id", { id, do: "remove" });
    expect(question.html).toContain("Enter your password to continue");
    const login = answerOf(await ownerBrowser(it.origin).get("/login"));
    expect((await send(owner, question, "confirm_passkey", { confirm_passkey: login })).status).toBe(403);
    const removed = await send(owner, question, "confirm_passkey", { confirm_passkey: answerOf(question) });
    expect(removed.html).toContain("Removed.");
    const browser = ownerBrowser(it.origin);
    expect(isIn(await logIn(browser, await browser.get("/login")))).toBe(true);
  });
});
