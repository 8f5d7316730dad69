// RFC 8628: a device without a browser shows a code, the owner types it, and the device gets its token.
import * as oauth from "oauth4webapi";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Loose } from "../harness.ts";
import { typeUserCode } from "./approve.ts";
import { formWith, logIn, ownerBrowser } from "./owner-browser.ts";
import {
  answer,
  asDetails,
  detail,
  HTTP,
  reads,
  refresh,
  refusal,
  register,
  ticked,
  type World,
  world,
} from "./world.ts";

const DEVICE = "urn:ietf:params:oauth:grant-type:device_code";
let it: World;
let client: oauth.Client;

beforeAll(async () => {
  it = await world();
  client = await register(it, { redirect_uris: [], response_types: [], grant_types: [DEVICE, "refresh_token"] });
});
afterAll(() => it.close());

const start = async (
  parameters: Record<string, string> = {},
  asking = client,
): Promise<oauth.DeviceAuthorizationResponse> =>
  oauth.processDeviceAuthorizationResponse(
    it.as,
    asking,
    await oauth.deviceAuthorizationRequest(it.as, asking, oauth.None(), parameters, HTTP),
  );
const poll = async (code: string, asking = client): Promise<Loose> =>
  oauth.processDeviceCodeResponse(
    it.as,
    asking,
    await oauth.deviceCodeGrantRequest(it.as, asking, oauth.None(), code, HTTP),
  );

describe("P-03 device flow", () => {
  test("is pending until approved, and then the token can read the streams that the owner ticked", async () => {
    const begun = await start(asDetails(detail([{ name: "authors", instance_ids: [it.town] }])));
    expect(begun.verification_uri).toBe(`${it.url}/device`);
    expect(begun.user_code).toMatch(/^[A-Z]{4}-[A-Z]{4}$/);
    expect(await refusal(poll(begun.device_code))).toBe("authorization_pending");
    const page = await typeUserCode(it.browser, begun.user_code);
    expect(page.html).toContain("to the device that showed you the code");
    expect(ticked(page)).toEqual([`${it.town}/authors`]);
    const receipt = await answer(it.browser, page, { fields: ["name"], duration: "1d" });
    expect(receipt.html).toContain("may now see this");
    expect(receipt.html).toContain("go back to your device");
    const tokens = await poll(begun.device_code);
    expect(tokens.authorization_details[0].streams).toEqual([
      { name: "authors", instance_ids: [it.town], fields: ["id", "name"] },
    ]);
    expect(await reads(it.server, tokens.access_token)).toEqual([200]);
    expect(await reads(it.server, (await refresh(it, client, tokens.refresh_token)).access_token)).toEqual([200]);
  });

  test("a device code returns tokens only once, and a replay revokes them", async () => {
    const { device_code, user_code } = await start();
    await answer(it.browser, await typeUserCode(it.browser, user_code), { streams: [`${it.town}/authors`] });
    const tokens = await poll(device_code);
    expect(await refusal(poll(device_code))).toBe("invalid_grant");
    expect(await reads(it.server, tokens.access_token)).toEqual([403, "grant_revoked"]);
  });

  test("a client that polls too fast is told to slow down", async () => {
    const { device_code } = await start();
    expect(await refusal(poll(device_code))).toBe("authorization_pending");
    expect(await refusal(poll(device_code))).toBe("slow_down");
  });

  test("the owner can deny access when typing the code or on the consent page", async () => {
    const first = await start();
    const typed = formWith(await it.browser.get("/device"), "user_code");
    const fields = typed.fields.filter(([name]) => name !== "user_code");
    const compare = formWith(
      await it.browser.post(typed.action, [...fields, ["user_code", first.user_code]]),
      "user_code",
    );
    const aborted = await it.browser.post(compare.action, [...compare.fields, ["abort", "yes"]]);
    expect(aborted.html).toContain("You denied the request.");
    expect(await refusal(poll(first.device_code))).toBe("access_denied");

    const second = await start();
    const denied = await answer(it.browser, await typeUserCode(it.browser, second.user_code), { decision: "deny" });
    expect(denied.status).toBeLessThan(500);
    expect(denied.html).not.toContain("may now see");
    expect(await refusal(poll(second.device_code))).toBe("access_denied");
  });

  test("a code in the URL fills the form but does not submit it", async () => {
    const { user_code, verification_uri_complete } = await start();
    const page = await it.browser.get(verification_uri_complete!);
    expect(formWith(page, "user_code").fields).toContainEqual(["user_code", user_code]);
    expect(page.html).not.toContain("confirm");
    const hostile = await it.browser.get(`/device?user_code=${encodeURIComponent('"><script>alert(1)</script>')}`);
    expect(hostile.html).not.toContain("<script>alert");
  });

  test("unknown, used and malformed codes do not reach the consent page", async () => {
    const used = await start();
    await answer(it.browser, await typeUserCode(it.browser, used.user_code), { streams: [`${it.town}/authors`] });
    for (const code of ["AAAA-AAAA", used.user_code, "", "x".repeat(300), "<script>"]) {
      const form = formWith(await it.browser.get("/device"), "user_code");
      const page = await it.browser.post(form.action, [
        ...form.fields.filter(([name]) => name !== "user_code"),
        ["user_code", code],
      ]);
      expect(page.html).not.toContain('name="confirm"');
      expect(page.status).toBeLessThan(500);
    }
  });

  test("the code can be confirmed only after signing in", async () => {
    const { user_code } = await start();
    const browser = ownerBrowser(it.url);
    const login = await browser.get(`/device?user_code=${user_code}`);
    expect([login.status, login.html.includes(user_code)]).toEqual([401, true]);
    await logIn(browser, login);
    const page = await typeUserCode(browser, user_code);
    expect(page.html).toContain('name="digest"');
  });

  test("another client's device code and a guessed device code are refused", async () => {
    const { device_code } = await start();
    const other = await register(it, { redirect_uris: [], response_types: [], grant_types: [DEVICE] });
    expect(await refusal(poll(device_code, other))).toBe("invalid_grant");
    expect(await refusal(poll("guess"))).toBe("invalid_grant");
  });

  test("a client that is not registered for the device flow cannot use it", async () => {
    const other = await register(it);
    expect(await refusal(start({}, other))).toBe("invalid_request");
  });

  test("invalid details are refused before a code is shown", async () => {
    expect(await refusal(start({ authorization_details: "[{}]" }))).toBe("invalid_authorization_details");
    expect(await refusal(start({ resource: "https://evil.example/" }))).toBe("invalid_target");
  });
});
