// P-07: tests operator settings. Options take precedence over the environment, and nothing is silently misread.
import { expect, it } from "vitest";
import { UsageError } from "./command.ts";
import { serveSettings } from "./serve-settings.ts";

it("P-07 by default, enables no option and stops without draining", () => {
  expect(serveSettings({}, {})).toEqual({ log: "text", drainSeconds: 0 });
  expect(
    serveSettings({}, { PDPP_LOG: "", PDPP_METRICS: "0", PDPP_METRICS_TOKEN: "", PDPP_DRAIN_SECONDS: "" }),
  ).toEqual({
    log: "text",
    drainSeconds: 0,
  });
});

it("P-07 accepts the same values in options and the environment; options take precedence", () => {
  const token = "0123456789abcdef";
  expect(serveSettings({ log: "json", metrics: true }, {})).toEqual({ log: "json", metrics: {}, drainSeconds: 0 });
  expect(
    serveSettings({}, { PDPP_LOG: "json", PDPP_METRICS: "1", PDPP_METRICS_TOKEN: token, PDPP_DRAIN_SECONDS: "5" }),
  ).toEqual({ log: "json", metrics: { token }, drainSeconds: 5 });
  expect(serveSettings({ log: "text" }, { PDPP_LOG: "json" }).log).toBe("text");
});

it("P-07 refuses an invalid setting and does not repeat a secret", () => {
  for (const [values, environment, said] of [
    [{ log: "xml" }, {}, "--log"],
    [{}, { PDPP_LOG: "xml" }, "PDPP_LOG"],
    [{}, { PDPP_METRICS: "yes" }, "PDPP_METRICS"],
    [{}, { PDPP_METRICS_TOKEN: "short" }, "PDPP_METRICS_TOKEN"],
    [{}, { PDPP_DRAIN_SECONDS: "-1" }, "PDPP_DRAIN_SECONDS"],
    [{}, { PDPP_DRAIN_SECONDS: "301" }, "PDPP_DRAIN_SECONDS"],
  ] as const) {
    expect(() => serveSettings(values, environment)).toThrow(UsageError);
    expect(() => serveSettings(values, environment)).toThrow(said);
  }
  expect(() => serveSettings({}, { PDPP_METRICS_TOKEN: "short" })).not.toThrow("short");
});

it("G-12 identifies a trusted proxy by an address that no other program has, or by a token", () => {
  expect(serveSettings({ "trusted-proxy": "172.18.0.2, 10.0.0.0/8" }, {}).proxies).toEqual({
    addresses: ["172.18.0.2", "10.0.0.0/8"],
    token: undefined,
  });
  expect(
    serveSettings({}, { PDPP_PROXY_TOKEN: "long enough to not guess".replaceAll(" ", "-") }).proxies,
  ).toMatchObject({
    addresses: [],
  });
  expect(() => serveSettings({ "trusted-proxy": "127.0.0.1" }, {})).toThrow("set PDPP_PROXY_TOKEN instead");
  expect(() => serveSettings({ "trusted-proxy": "proxy.example" }, {})).toThrow("takes addresses");
  expect(() => serveSettings({}, { PDPP_PROXY_TOKEN: "short" })).toThrow("at least 16");
});
