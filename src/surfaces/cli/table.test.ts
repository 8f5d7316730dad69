// Tests that tables fit the terminal, and that columns that people copy are never cut.
import { expect, it } from "vitest";
import { displayWidth, table } from "./table.ts";

const ROWS = [
  ["cin_aaaaaaaaaaaaaaaaaaaa", "Personal mail", "messages, attachments, people, threads, labels"],
  ["cin_bbbbbbbbbbbbbbbbbbbb", "仕事のメール", "messages"],
];

it("O-08 a table is no wider than the terminal: the widest column is truncated, but never an id", () => {
  const lines = table(["connection", "name", "streams"], ROWS, { width: 60 }).trimEnd().split("\n");
  expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(60);
  expect(lines[2]).toMatch(/^cin_a{20} {2}Personal mail {2}messages.*…$/);
  expect(lines[3]).toContain("仕事のメール");
});

it("O-08 a table that fits is unchanged", () => {
  expect(table(["connection", "name", "streams"], ROWS, { width: 200 })).not.toContain("…");
});
