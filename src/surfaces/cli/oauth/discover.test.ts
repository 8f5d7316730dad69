// Tests addresses as people type them, and browser detection.
import { describe, expect, it } from "vitest";
import { hasBrowser } from "./browser.ts";
import { originOf } from "./discover.ts";

describe("an address", () => {
  it.each([
    ["https://data.example.org", "https://data.example.org"],
    ["https://data.example.org/", "https://data.example.org"],
    ["https://DATA.example.org:443/mcp", "https://data.example.org"],
    ["data.example.org", "https://data.example.org"],
    ["data.example.org:8443", "https://data.example.org:8443"],
    ["localhost:7887", "http://localhost:7887"],
    ["127.0.0.1:7887", "http://127.0.0.1:7887"],
    ["[::1]:7887/mcp", "http://[::1]:7887"],
    ["localhost.example.org", "https://localhost.example.org"],
  ])("%s is %s", (typed, origin) => expect(originOf(typed)).toBe(origin));

  it.each(["", "ftp://a.example", "https://a.example/v1", "https://user@a.example", "https://", "a b", "file:///etc"])(
    "%j is not an address",
    (typed) => expect(() => originOf(typed)).toThrow("a server must be an address"),
  );
});

describe("a browser", () => {
  it.each<[boolean, NodeJS.Platform, Record<string, string>]>([
    [true, "darwin", {}],
    [true, "win32", {}],
    [false, "linux", {}],
    [true, "linux", { DISPLAY: ":0" }],
    [true, "linux", { WAYLAND_DISPLAY: "wayland-0" }],
    [false, "linux", { DISPLAY: ":0", SSH_CONNECTION: "10.0.0.1 1 10.0.0.2 22" }],
    [false, "darwin", { SSH_TTY: "/dev/pts/0" }],
    [true, "linux", { SSH_TTY: "/dev/pts/0", PDPP_BROWSER: "firefox" }],
  ])("is available: %s on %s with %j", (there, platform, environment) =>
    expect(hasBrowser(environment, platform)).toBe(there),
  );
});
