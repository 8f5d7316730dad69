// P-07: tests the log for programs, which has one object per line and no tokens.
import { expect, it } from "vitest";
import { TOKEN_PREFIX } from "../../contract/ids.ts";
import { serveLog } from "./serve-log.ts";

it("P-07 writes one object per line for programs, no matter what the message contains, and never a token", () => {
  const lines: string[] = [];
  const log = serveLog(
    "json",
    (line) => lines.push(line),
    () => new Date(0),
  );
  log.note("There is\nno owner yet");
  for (const prefix of Object.values(TOKEN_PREFIX)) log.failure(`req_1 Error: "${prefix}AbC-_9" is odd\n    at x`);
  const request = { request_id: "req_1", method: "GET", route: "/v1/schema", ms: 1.5, bytes: 900 };
  log.onRequest!({ ...request, status: 200 });
  log.onRequest!({ ...request, status: 500 });
  expect(lines.filter((line) => line.includes("\n") || line.includes("AbC"))).toEqual([]);
  const said = lines.map((line) => JSON.parse(line));
  expect(said.map(({ time }) => time)).toEqual(lines.map(() => "1970-01-01T00:00:00.000Z"));
  expect(said.map(({ level }) => level)).toEqual(["info", "error", "error", "error", "error", "info", "error"]);
  expect(said[1].message).toBe('req_1 Error: "pdpp_owner_…" is odd\n    at x');
  expect(said[5]).toEqual({ time: said[5].time, level: "info", message: "request", ...request, status: 200 });
});

it("P-07 in text format, prints messages unchanged and does not log requests", () => {
  const lines: string[] = [];
  const log = serveLog("text", (line) => lines.push(line));
  log.note("one");
  log.failure("two");
  expect([lines, log.onRequest]).toEqual([["one", "two"], undefined]);
});
