// V-06: an app's requests, described in words.
import { expect, it } from "vitest";
import { keptQueryOf } from "./kept-query.ts";
import { requestWords } from "./request-words.ts";

const mails = { what: "Emails", connection: "Personal mail" };
const bank = { what: "Transactions", connection: "Liffey Bank" };
const said = (action: string, query: object, places = [mails], records = 25): string =>
  requestWords(
    { action, query: keptQueryOf(query), places, records },
    "Europe/Dublin",
    (field) => ({ category: "Category", amount: "Amount" })[field],
  );

it("V-06 describes what was searched, read, counted and opened, without field names", () => {
  expect(said("search", { q: "invoice" })).toBe("Searched for “invoice” in emails");
  expect(said("search", { q: "x", limit: 5 }, [mails, bank])).toBe("Searched for “x” in emails and transactions");
  expect(said("records", { filter: { booked_on: { gte: "2026-03-01" } } }, [bank])).toBe(
    "Read the 25 newest transactions from Liffey Bank since 1 March 2026",
  );
  expect(said("records", { sort: "amount", filter: { category: "Food" } }, [bank], 3)).toBe(
    "Read the 3 transactions from Liffey Bank where category is “Food”",
  );
  expect(said("records", { filter: { unknown_field: "x" } }, [mails], 1)).toBe(
    "Read one record in emails from Personal mail",
  );
  expect(said("records", { changes_since: "abc" })).toBe("Asked what is new in emails from Personal mail");
  expect(said("aggregate", { metric: "sum", group_by: "category" }, [bank])).toBe(
    "Calculated totals for transactions from Liffey Bank by category",
  );
  expect(said("record", {})).toBe("Opened one record in emails from Personal mail");
  expect(said("schema", {}, [])).toBe("Looked up what it may read");
});

it("V-06 the log keeps the request, limited in size and without tokens", () => {
  expect(keptQueryOf({ q: `a pdpp_at_secret ${"b".repeat(500)}`, limit: 3 })).toEqual({
    q: expect.stringMatching(/^a pdpp_… b+…$/),
  });
  expect(keptQueryOf({ q: "b".repeat(5000) })!.q!.length).toBe(200);
  expect(keptQueryOf({ stream: "messages", connection_id: "cin_1" })).toBeUndefined();
  const filter = Object.fromEntries(
    Array.from({ length: 20 }, (_, n) => [`f${n}`, { in: Array(50).fill("v".repeat(900)) }]),
  );
  expect(JSON.stringify(keptQueryOf({ filter })).length).toBeLessThan(9000);
});
