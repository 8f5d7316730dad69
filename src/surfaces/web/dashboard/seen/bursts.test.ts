// V-06: tests that requests in quick succession become one entry.
import { expect, it } from "vitest";
import { burstsOf } from "./bursts.ts";
import type { SeenRequest } from "./requests.ts";

const request = (second: number, words: string, more: Partial<SeenRequest> = {}): SeenRequest => ({
  requestId: `req_${second}`,
  at: new Date(Date.UTC(2026, 2, 1) + second * 1000).toISOString(),
  clientId: "cli_1",
  words,
  outcome: "answered",
  looksUp: false,
  records: 2,
  got: [],
  ...more,
});
const newestFirst = (...requests: SeenRequest[]): SeenRequest[] => requests.reverse();

it("V-06 starts a new entry after a pause or for another app, and lists the requests of an entry in chronological order", () => {
  const bursts = burstsOf(
    newestFirst(
      request(0, "Read the 2 newest emails"),
      request(80, "Searched for “x” in emails"),
      request(100, "Counted emails", { clientId: "cli_2" }),
      request(400, "Read the 2 newest notes"),
    ),
  );
  expect(bursts.map(({ requests }) => requests.map(({ requestId }) => requestId))).toEqual([
    ["req_400"],
    ["req_100"],
    ["req_0", "req_80"],
  ]);
  expect(bursts[2]).toMatchObject({ records: 4, words: "Read the 2 newest emails; and searched for “x” in emails" });
});

it("V-06 lists the first items once in the heading, and omits schema lookups", () => {
  const lookUp = request(0, "Looked up what it may read", { looksUp: true, records: 0 });
  const refused = request(3, "Asked for transactions", { outcome: "refused" });
  const [burst] = burstsOf(
    newestFirst(
      lookUp,
      request(1, "Read a"),
      request(2, "Read a"),
      refused,
      request(4, "Read b"),
      request(5, "Read c"),
    ),
  );
  expect(burst!.words).toBe("Read a; asked for transactions: refused; and 2 more requests");
  expect(burstsOf([lookUp])[0]!.words).toBe("Looked up what it may read");
});
