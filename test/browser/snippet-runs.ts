// Runs a page's snippets, each with an owner token: curl as a request, a command as a process.
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { shellWords } from "../../src/surfaces/cli/shell-words.fixture.ts";
import type { TestServer } from "../harness.ts";
import { pdpp } from "../pdpp.ts";

/** Runs every snippet on the open page and fails if one does not work. Returns the number of snippets. */
export async function runSnippets(page: Page, server: TestServer): Promise<number> {
  const texts = await page.locator(".elsewhere pre").allTextContents();
  for (const text of texts) {
    const [program, ...words] = shellWords(text);
    if (program === "curl") {
      const { status } = await server.get(words.at(-1)!.replace(server.url, ""));
      expect([text, status]).toEqual([text, 200]);
    } else if (program === "pdpp") {
      const run = await pdpp(words, { env: { PDPP_ACCESS_TOKEN: words.includes("--server") ? server.owner : "" } });
      expect([text, run.code, run.stderr]).toEqual([text, 0, run.stderr]);
    } else throw new Error(`unexpected snippet: ${text}`);
  }
  return texts.length;
}
