// Helpers for the Explore tests: a page's JSON form, tables as rows of text, and running snippets.
import type { Page } from "playwright-core";
import { shellWords } from "../../src/surfaces/cli/shell-words.fixture.ts";
import type { Loose, TestServer } from "../harness.ts";
import { callTool } from "../mcp.ts";
import { ok, pdpp } from "../pdpp.ts";

/** Reads a page's JSON form with an owner token, by appending `.json` to the path. */
export async function twin(server: TestServer, path: string): Promise<Loose> {
  const { pathname, search } = new URL(path, server.url);
  const answer = await server.get(`${pathname}.json${search}`);
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`);
  return answer.body;
}

/** Returns the id of the only record with this value in a field. Tests need it because importers generate ids. */
export async function idWhere(
  server: TestServer,
  { connection_id, stream }: { connection_id: string; stream: string },
  field: string,
  value: string,
): Promise<string> {
  const query = { connection_id, [`filter[${field}]`]: value };
  const { body } = await server.get(`/v1/streams/${stream}/records`, { query });
  if (body.data.length !== 1) throw new Error(`${body.data.length} records of ${stream} with ${field} ${value}`);
  return encodeURIComponent(body.data[0].id);
}

export const pathOf = (page: Page): string => {
  const { pathname, search } = new URL(page.url());
  return withoutKey(pathname) + search;
};

/** An address without the browser's key. */
export const withoutKey = (address: string): string => address.replace(/\/~[\w-]{22}(?=\/)/, "");

/** The cells of the record table. */
export async function rowsOf(page: Page): Promise<string[][]> {
  const cells =
    "[...document.querySelectorAll('table.records tbody tr')].map((row) => [...row.children].map((cell) => cell.innerText))";
  return page.evaluate(cells) as Promise<string[][]>;
}

/** Reads a property of every element that matches a selector. */
export const propertyOf = (page: Page, selector: string, property: string): Promise<string[]> =>
  page.evaluate(
    `[...document.querySelectorAll(${JSON.stringify(selector)})].map((found) => found.${property})`,
  ) as Promise<string[]>;

export async function headers(page: Page): Promise<string[]> {
  const texts = await page.locator("table.records thead th").allInnerTexts();
  return texts.map((text) => text.replace(/\s*[↓↑]$/, ""));
}

export interface RanSnippets {
  curl: Loose;
  command: Loose;
  tool: Loose;
}

/** Runs each snippet as a person who copied it would: with an owner token, or with a grant's token for the MCP call. */
export async function runSnippets(server: TestServer, snippets: Loose[]): Promise<RanSnippets> {
  const text = (label: string): string => snippets.find((one) => one.label === label).text;
  const [program, flag, header, url] = shellWords(text("curl"));
  if (program !== "curl" || flag !== "-H" || !/^Authorization: Bearer \$\w+$/.test(header!))
    throw new Error(text("curl"));
  const answer = await fetch(url!, { headers: { Authorization: `Bearer ${server.owner}` } });
  if (!answer.ok) throw new Error(`${url}: ${await answer.text()}`);
  const [name, command, ...words] = shellWords(text("Command line"));
  if (name !== "pdpp") throw new Error(text("Command line"));
  const run = await ok(pdpp([command!, "--json", ...words], { env: { PDPP_ACCESS_TOKEN: server.owner } }));
  const [, tool, args] = /^(\w+)\((.*)\)$/s.exec(text("MCP"))!;
  const { access_token } = await server.grant({ all: true });
  const called = await callTool(server.url, access_token, tool!, JSON.parse(args!));
  if (called.isError) throw new Error(called.text);
  return { curl: JSON.parse(await answer.text()), command: run.json, tool: called.structuredContent };
}

const LAYOUT_SHIFT = `new Promise((resolve) => {
  let sum = 0;
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) sum += value;
  }).observe({ type: "layout-shift", buffered: true });
  setTimeout(() => resolve(sum), 300);
})`;

/** Returns how far the page content shifted after it was first drawn. */
export const layoutShift = (page: Page): Promise<number> => page.evaluate(LAYOUT_SHIFT) as Promise<number>;
