// Titles are chosen by kind and role, and guessed if a stream declares no kind.
import { describe, expect, it } from "vitest";
import type { Kind } from "../contract/kinds.ts";
import type { JsonObject } from "../contract/record.ts";
import { ownTitle } from "./title.ts";

const named = (kind: Kind, roles: Record<string, string>, data: JsonObject): string | undefined =>
  ownTitle(data, {
    kind,
    fields: Object.fromEntries(Object.entries(roles).map(([role, field]) => [role, [field]])),
  });

describe("K-01 a record's title", () => {
  it.each<[Kind, Record<string, string>, JsonObject, string | undefined]>([
    ["person", { title: "name" }, { name: "Ann Lee", title: "Oceanographer" }, "Ann Lee"],
    ["email", { title: "subject", "from.name": "from" }, { subject: " ", from: "Ann" }, "(no subject) · Ann"],
    ["message", { text: "text", "from.name": "sender" }, { sender: "Ann", text: "See\nyou" }, "Ann: See you"],
    ["message", { text: "text", "from.name": "sender" }, { text: "See you" }, "See you"],
    [
      "conversation",
      { title: "name", participants: "people" },
      { people: ["A", "B", "C", "D", "E"] },
      "A, B, C, D, 1 more",
    ],
    ["conversation", { participants: "people" }, { people: [{ name: "", address: "a@b.c" }] }, "a@b.c"],
    ["account", { title: "name", number: "iban" }, { iban: "IE29CANA99031812343381" }, "IE29 CANA 9903 1812 3433 81"],
    ["note", { title: "title", text: "body" }, { body: "First line\nsecond" }, "First line"],
    [
      "transaction",
      { counterparty: "payee", amount: "amount", currency: "currency" },
      { payee: "Café", amount: -4.2, currency: "EUR" },
      "Café · −€4.20",
    ],
    [
      "transaction",
      { text: "purpose", amount: "amount", currency: "currency" },
      { purpose: "Salary June", amount: 3120, currency: "EUR" },
      "Salary June · +€3,120.00",
    ],
    ["transaction", { amount: "amount", currency: "currency" }, { amount: -900, currency: "JPY" }, "−¥900"],
    [
      "order",
      { counterparty: "shop", amount: "total", currency: "currency" },
      { shop: "Atlas", total: 22.2, currency: "EUR" },
      "Atlas · €22.20",
    ],
    ["page", { url: "url", title: "title" }, { url: "https://example.com/x?y" }, "example.com"],
    ["post", { text: "text", url: "url" }, { url: "https://tide.example/1" }, "https://tide.example/1"],
    ["bookmark", { url: "url" }, { url: "not a url" }, "not a url"],
    [
      "measurement",
      { metric: "type", value: "value", unit: "unit" },
      { type: "Steps", value: 12, unit: "count" },
      "Steps 12 count",
    ],
    [
      "track",
      { activity: "activity", distance: "distance_m" },
      { activity: "walking", distance_m: 2400 },
      "walking · 2.4 km",
    ],
    ["workout", { activity: "activity" }, { activity: "Running" }, "Running"],
    ["event", { title: "title" }, { name: "not a title" }, undefined],
  ])("%s %j", (kind, roles, data, title) => {
    expect(named(kind, roles, data)).toBe(title);
  });

  it("is one line of at most 120 characters", () => {
    const title = named("note", { text: "body" }, { body: `${"long ".repeat(100_000)}` });
    expect([...title!]).toHaveLength(120);
  });

  it("is guessed from field names if there is no kind", () => {
    expect(ownTitle({ subject: "Hello", name: "x" }, undefined)).toBe("Hello");
    expect(ownTitle({ body: "Hello" }, undefined)).toBeUndefined();
  });
});
