// Limits that callers depend on. Changing one changes the protocol and makes this test fail.
import { expect, it } from "vitest";
import * as limits from "./limits.ts";

it("P-01 L-04 limits for pages, groups, windows, lines and bodies have the protocol's values", () => {
  expect(limits.PAGE).toEqual({ default: 25, max: 100 });
  expect([limits.FILE_PAGE, limits.FILE_PREVIEW_BYTES]).toEqual([{ default: 50, max: 1000 }, 4096]);
  expect(limits.GROUPS).toEqual({ default: 10, timeDefault: 100, max: 100 });
  expect(limits.WINDOW).toMatchObject({ default: 4096, max: 16_384, contextMax: 8192 });
  expect(limits.BODY.json).toBe(4 * 1024 * 1024);
  expect(limits.INGEST.lineBytes).toBe(4 * 1024 * 1024);
  expect([limits.UNUSED_GRANT, limits.RECENT_CALLS]).toEqual([{ unusedDays: 30, neverUsedDays: 7 }, 5]);
  expect(limits.AMBIGUOUS_CANDIDATES).toBe(10);
  expect([limits.PROTOCOL_VERSION, limits.DECLARATION_PROTOCOL_VERSION, limits.GRANT_VERSION]).toEqual([
    "2026-04-06",
    "0.1.0",
    "0.1.0",
  ]);
});
