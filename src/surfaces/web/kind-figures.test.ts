// Counts by kind name every kind once, and their sum is the number of records.
import { expect, it } from "vitest";
import { kindFigures } from "./kind-figures.ts";

it("V-05 counts records by kind, largest first, and counts those without a kind together", () => {
  expect(
    kindFigures([
      { kind: "conversation", count: 1 },
      { kind: "message", count: 5000 },
      { kind: "message", count: 929 },
      { kind: "photo", count: 0 },
    ]),
  ).toBe("5,929 messages and 1 conversation");
  expect(kindFigures([{ kind: "email", count: 2 }, { count: 3 }])).toBe("2 emails and 3 other records");
  const many = (["note", "task", "event", "post"] as const).map((kind, n) => ({ kind, count: 9 - n }));
  expect(kindFigures([...many, { count: 1 }])).toBe("9 notes, 8 tasks, 7 events and 7 other records");
  expect([kindFigures([{ count: 1 }]), kindFigures([{ kind: "note", count: 0 }])]).toEqual(["1 record", "0 records"]);
});
