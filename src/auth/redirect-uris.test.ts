// Redirect URIs: those of real apps work, and hostile ones are refused or match nothing.
import { describe, expect, it } from "vitest";
import { NEIGHBOURS, REFUSED, REGISTERED } from "./redirect-uris.fixture.ts";
import { matchesRedirect, validateRedirectUri } from "./redirect-uris.ts";

const native = { applicationType: "native" } as const;
const web = { applicationType: "web" } as const;

const matched = (presented: string): string[] =>
  REGISTERED.filter((registered) => matchesRedirect(registered, presented));

describe("SECURITY row 4: hostile redirect URIs", () => {
  it.each(Object.entries(REFUSED))("%s: cannot be registered, and match no registered URI", (_kind, uris) => {
    const table = uris.map((uri) => [uri, validateRedirectUri(uri, native) !== undefined, matched(uri).length === 0]);
    expect(table).toEqual(uris.map((uri) => [uri, true, true]));
    expect(uris.filter((uri) => validateRedirectUri(uri, web) === undefined)).toEqual([]);
  });

  it("that resemble a registered one can be registered, but match only themselves", () => {
    const table = NEIGHBOURS.map((uri) => [
      uri,
      validateRedirectUri(uri, native) !== undefined,
      matched(uri).length === 0,
    ]);
    expect(table).toEqual(NEIGHBOURS.map((uri) => [uri, false, true]));
  });

  it("are at least 60 in number, with no duplicates", () => {
    const all = [...Object.values(REFUSED).flat(), ...NEIGHBOURS];
    expect(all.length).toBeGreaterThanOrEqual(60);
    expect(new Set(all).size).toBe(all.length);
  });

  it("are refused with a readable reason", () => {
    const reason = (uri: string): string => validateRedirectUri(uri, native) ?? "";
    expect(reason("https://claude.ai:443/cb")).toBe("is another way to write https://claude.ai/cb");
    expect(reason("http://claude.ai/cb")).toBe("uses http outside localhost, 127.0.0.1 and [::1]; use https");
    expect(reason("javascript:alert(1)")).toContain("scheme");
  });
});

describe("SECURITY row 4: redirect URIs of real apps", () => {
  it("can be registered by native apps", () => {
    expect(REGISTERED.map((uri) => validateRedirectUri(uri, native)).filter(Boolean)).toEqual([]);
  });

  it("can be registered by web apps, except private-use schemes", () => {
    const refused = REGISTERED.filter((uri) => validateRedirectUri(uri, web) !== undefined);
    expect(refused).toEqual(["cursor://anysphere.cursor-mcp/oauth/callback", "com.example.app:/oauth2redirect"]);
  });

  it("match themselves, and only themselves outside the loopback interface", () => {
    for (const uri of REGISTERED) expect(matched(uri)).toContain(uri);
    for (const uri of REGISTERED.filter((each) => !each.startsWith("http:"))) expect(matched(uri)).toEqual([uri]);
  });

  it.each(["localhost", "127.0.0.1", "[::1]"])("match on %s with any port, whatever port was registered", (host) => {
    for (const registered of [`http://${host}/cb?a=1`, `http://${host}:3118/cb?a=1`, `http://${host}:80/cb?a=1`]) {
      expect(validateRedirectUri(registered, native)).toBeUndefined();
      for (const port of ["", ":1", ":80", ":3118", ":49152", ":65535"])
        expect(matchesRedirect(registered, `http://${host}${port}/cb?a=1`)).toBe(true);
      for (const other of ["localhost", "127.0.0.1", "[::1]"].filter((each) => each !== host))
        expect(matchesRedirect(registered, `http://${other}:3118/cb?a=1`)).toBe(false);
    }
  });

  it("without a path match only addresses without a path", () => {
    expect(matchesRedirect("http://127.0.0.1:33418", "http://127.0.0.1:5000")).toBe(true);
    expect(matchesRedirect("http://127.0.0.1:33418", "http://127.0.0.1:5000/")).toBe(false);
  });
});
