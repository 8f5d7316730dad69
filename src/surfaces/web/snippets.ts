// The same data in other forms: as curl, as a command and as an MCP call, each ready to run.
import { html } from "hono/html";
import { quote } from "../../core/shell-quote.ts";
import { copyable } from "./copyable.ts";
import type { Html } from "./layout.ts";

export interface Snippet {
  label: "curl" | "Command line" | "MCP";
  text: string;
}

/** Expects a token of the owner or of a grant in `$PDPP_ACCESS_TOKEN`. `path` begins with `/v1/`. */
export const curl = (origin: string, path: string): Snippet => ({
  label: "curl",
  text: `curl -H "Authorization: Bearer $PDPP_ACCESS_TOKEN" ${quote(`${origin}${path}`)}`,
});

/** Quotes words for a shell. */
export const command = (...words: readonly string[]): Snippet => ({
  label: "Command line",
  text: ["pdpp", ...words.map(quote)].join(" "),
});

/** A command on the server's own machine. Empty for owners without access to it. */
export const commandAt = (home: string | undefined, ...words: readonly string[]): Snippet[] =>
  home === undefined ? [] : [command(...words, "--home", home)];

export const tool = (name: string, input: object): Snippet => ({
  label: "MCP",
  text: `${name}(${JSON.stringify(input)})`,
});

export function elsewhere(snippets: readonly Snippet[]): Html | "" {
  if (snippets.length === 0) return "";
  const ways = [...new Set(snippets.map(({ label }) => label.replace("Command", "command")))];
  return html`<details class="elsewhere"><summary>For programs: ${ways.join(", ")}</summary>
${snippets.map(({ label, text }, index) => html`<h2>${label}</h2>${copyable(text, `elsewhere-${index}`)}`)}
<p class="note">Put an owner token or a grant token into <code>PDPP_ACCESS_TOKEN</code>. This page as JSON: add <code>.json</code> to its path.</p>
</details>`;
}
