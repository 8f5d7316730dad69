// docs/build/clients.md contains the results of the last `npm run clients`.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { BUDGET } from "../src/surfaces/mcp/budgets.ts";
import { INSTRUCTIONS } from "../src/surfaces/mcp/instructions.ts";
import { listed, TOOLS } from "../src/surfaces/mcp/tools.ts";
import { PROGRAM } from "./clients/ai-sdk.ts";
import { LANGCHAIN_PROGRAM } from "./clients/langchain.ts";
import { type ClientName, PACKAGES } from "./clients/packages.ts";
import { CHECKS, DOCS_FILE, MARKERS, readResult, resultText, SETUP_STEPS } from "./clients/result.ts";
import { GENERIC, SETUPS } from "./clients/setups.ts";

const docs = readFileSync(DOCS_FILE, "utf8");
const result = readResult();
const names = Object.keys(PACKAGES) as ClientName[];

/** Returns the code blocks under a heading of the page. */
function blocks(heading: string): string[] {
  const section = docs.split(/^## /m).find((part) => part.startsWith(`${heading}\n`));
  return [...(section ?? "").matchAll(/^```\w+\n([\s\S]*?)^```$/gm)].map(([, text]) => text!.trimEnd());
}

describe("X-05 real clients", () => {
  test("X-05 every client was run, in its pinned version", () => {
    expect(result.clients.map(({ client }) => client)).toEqual(names);
    for (const { client, packages } of result.clients) expect(packages).toEqual(PACKAGES[client]);
  });

  test.each(result.clients)(
    "X-05 $client can add the server, sign in with OAuth and call tools",
    ({ checks, opens_with }) => {
      expect(checks.map(({ name }) => name)).toEqual([...CHECKS]);
      expect(checks.filter(({ outcome }) => outcome !== "ok")).toEqual([]);
      expect(opens_with).toMatch(/^`(server\/discover|initialize)` 20\d\d-\d\d-\d\d$/);
    },
  );

  test("C-04 X-05 each host showed its model the complete text or the complete data of every result, or both, and every record", () => {
    const hosts = result.clients.filter(({ shown }) => shown !== undefined);
    const withoutModel: ClientName[] = ["MCP Inspector", "mcporter"];
    expect(hosts.map(({ client }) => client)).toEqual(names.filter((name) => !withoutModel.includes(name)));
    for (const { client, shown } of hosts) {
      expect(
        shown!.results.map(({ tool }) => tool),
        client,
      ).toEqual(["schema", "search", "query_records", "query_records"]);
      for (const { half, shown: seen, all, records } of shown!.results) {
        expect(["content", "structuredContent", "both"], client).toContain(half);
        // Cline keeps only 8,000 characters of a result.
        if (client !== "Cline" || records === undefined) expect(seen, client).toBe(all);
        if (records !== undefined) expect(records[0], client).toBe(records[1]);
      }
    }
  });

  test("C-05 the recorded instructions and descriptions are within a twentieth of their current length, and no recorded result exceeds its budget", () => {
    for (const { client, shown } of result.clients.filter((one) => one.shown !== undefined)) {
      const described = listed(TOOLS).reduce((sum, { description }) => sum + (description ?? "").length, 0);
      expect(shown!.instructions[1]! / INSTRUCTIONS.length, client).toBeCloseTo(1, 1);
      expect(shown!.descriptions[1]! / described, client).toBeCloseTo(1, 1);
      for (const { all } of shown!.results) expect(all, client).toBeLessThanOrEqual(BUDGET.asked);
    }
  });

  test("C-09 after pdpp setup each client lists the server, for both lenses, and after undo no longer does", () => {
    expect(result.setups.map(({ id }) => id)).toEqual(["claude-code", "codex", "gemini", "opencode"]);
    for (const { client, steps } of result.setups) expect([client, steps]).toEqual([client, SETUP_STEPS]);
  });

  test("X-05 docs/build/clients.md shows exactly these results", () => {
    const [begin, end] = MARKERS;
    expect(docs.split(begin)[1]?.split(end)[0]).toBe(`\n${resultText(result)}\n`);
  });
});

describe("E-25 setup instructions", () => {
  test.each(names)("E-25 %s: the commands in the docs match the commands that were run", (name) => {
    const commands = result.clients.find(({ client }) => client === name)!.commands;
    expect(commands).toEqual([...SETUPS[name]]);
    expect(blocks(name).at(-1)).toBe(commands.join("\n"));
  });

  test("E-25 the documented AI SDK and LangChain programs and the generic host files are the ones that were run", () => {
    expect(blocks("AI SDK")[0]).toBe(readFileSync(PROGRAM, "utf8").trimEnd());
    expect(blocks("LangChain")[0]).toBe(readFileSync(LANGCHAIN_PROGRAM, "utf8").trimEnd());
    expect(blocks("Any other MCP host").map((text) => JSON.parse(text))).toEqual([GENERIC.http, GENERIC.stdio]);
    expect(docs).toContain(`\`${GENERIC.connect}\` once`);
  });

  test("E-25 no setup has a profile, tool list, owner credential or control plane", () => {
    const setups = docs.slice(0, docs.indexOf("## Tests with real clients"));
    expect(setups).not.toMatch(/enabled_tools|allowed_?tools|include-tools|--profile|event.subscription|owner.token/i);
    expect(setups).not.toMatch(/pdpp_ow|PDPP_OWNER_TOKEN|grants issue/);
  });

  test("E-25 hosts that are not available offline are marked as such", () => {
    for (const heading of ["ChatGPT and the OpenAI Responses API", "Claude.ai"])
      expect(docs.split(`## ${heading}\n`)[1]?.trimStart()).toMatch(
        /^These steps follow the documentation but were not verified/,
      );
  });
});
