// Tests that next steps mention commands and options, not routes and parameters.
import { describe, expect, it } from "vitest";
import { ERRORS, PdppError } from "../../contract/errors.ts";
import { failureOf } from "./failure.ts";
import { type CalledCommand, spoken } from "./spoken.ts";

const called = (name: string, positionals: string[] = [], values: CalledCommand["values"] = {}): CalledCommand => ({
  name,
  positionals,
  values,
});

describe("a next step", () => {
  it.each<[string, string, CalledCommand]>([
    ["Run `pdpp schema tasks` to see.", "Call GET /v1/schema?stream=STREAM to see.", called("query", ["tasks"])],
    ["Run `pdpp schema tasks` to see.", "Call GET /v1/schema?stream=STREAM to see.", called("read", ["tasks:t-1"])],
    ["Run `pdpp schema STREAM` to see.", "Call GET /v1/schema?stream=STREAM to see.", called("search", ["x"])],
    [
      "Choose one with --stream STREAM and --connection CONNECTION; `pdpp schema --home '/a b'` lists them.",
      "Choose one with streams[]=STREAM and connection_id=CONNECTION; GET /v1/schema lists them.",
      called("search", ["x"], { home: "/a b" }),
    ],
    [
      "Search it instead: `pdpp search WORDS --stream notes`",
      "Search it instead: GET /v1/search?q=WORDS&streams[]=notes",
      called("query"),
    ],
    [
      "List: `pdpp query a/b --connection cin_1`",
      "List: GET /v1/streams/a%2Fb/records?connection_id=cin_1",
      called("fetch"),
    ],
    [
      "Run `pdpp schema` first, then `pdpp schema STREAM --connection CONNECTION --full`.",
      "Call GET /v1/schema first, then GET /v1/schema?stream=STREAM&connection_id=CONNECTION&detail=full.",
      called("schema"),
    ],
  ])("%s", (expected, step, call) => {
    expect(spoken(step, call)).toBe(expected);
  });

  it("of every error code mentions a command instead of a route", () => {
    for (const code of Object.keys(ERRORS) as (keyof typeof ERRORS)[]) {
      const { text } = failureOf(new PdppError(code, "no"), called("query", ["tasks"]), "usage");
      expect(text, code).not.toMatch(/ \/(v1|openapi)|STREAM to|[a-z]+_(since|chars|id)=/);
    }
  });

  it("lists the connections to choose from by name", () => {
    const row = { connector_key: "bank", connection_id: "cin_1", display_name: "Liffey Bank" };
    const error = new PdppError("ambiguous_connection", "2 connections", {
      available_connections: [row],
      available_connections_total: 12,
    });
    expect(failureOf(error, called("query"), "usage").text).toBe(
      "pdpp query: 2 connections\nChoose one:\n  --connection cin_1   (Liffey Bank, bank)\n  and 11 more: `pdpp connections` lists them\n",
    );
  });
});
