// Tests the page for an internal error: a message and the request id, but no internals.
import { expect, test } from "vitest";
import type { EngineHost } from "../../engine/host.ts";
import { type WebOptions, webHandler } from "./web.ts";

const asked = (accept: string) => ({
  request: new Request("http://127.0.0.1/dashboard", { headers: { accept } }),
  url: new URL("http://127.0.0.1/dashboard"),
  requestId: "req_1",
  origin: "http://127.0.0.1",
  address: "127.0.0.1",
  abort: () => undefined,
});

test("P-06 an internal error is a page for a browser and a JSON error for a program, logged under the request id", async () => {
  const log: string[] = [];
  const host = { call: () => Promise.reject(new Error("disk on fire")) } as unknown as EngineHost;
  const web = webHandler({ host, log: (text: string) => log.push(text) } as unknown as WebOptions);
  const answer = await web(asked("text/html"));
  expect(answer!.status).toBe(500);
  const text = await answer!.text();
  expect(text).toContain("<h1>Something went wrong</h1>");
  expect(text).toContain("req_1");
  expect(text).not.toContain("disk on fire");
  expect(log.join()).toMatch(/^req_1 .*disk on fire/);
  await expect(web(asked("application/json"))).rejects.toThrow("disk on fire");
});
