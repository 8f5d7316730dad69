// The view of "Connect an AI app": one large address for each lens, links for editors, commands, and three steps for
// apps that accept an address.
import { html, raw } from "hono/html";
import type { Audience } from "../../../contract/auth.ts";
import { copyable } from "../copyable.ts";
import { countOf } from "../format.ts";
import type { Html } from "../layout.ts";
import type { PageContent, PageFrame } from "../owner-page.ts";
import { clientBadge, clientWords, type NamedClient } from "../pages/client-identity.ts";

export interface ConnectView {
  /** The data that the address opens. */
  lens: Audience;
  mcp: string;
  /** True if the address works only on this computer. */
  local: boolean;
  /** Links that open an app and add the address there. */
  links: readonly { name: string; href: string }[];
  commands: Readonly<Record<string, readonly string[]>>;
  more: Readonly<Record<string, readonly string[]>>;
  setups: readonly { name: string; command: string }[];
  generic: object;
  terminal: string;
  llms: string;
  /** Recently approved apps. */
  connected: readonly { client: NamedClient; clientId: string; at: string; streams: number; readAt: string | null }[];
}

export function showConnect(view: ConnectView, frame: PageFrame): PageContent {
  const { lens, mcp, local, links, commands, more, setups, generic, terminal, llms } = view;
  return {
    title: "Connect an AI app",
    width: "middle",
    body: html`<h1>Connect an AI app</h1>
<p class="lead">Give your app this address. It opens a page here, you choose what it may read, and the app is connected.</p>
<nav class="tabs" aria-label="What the app reads"><span class="pick">${tab("Your records", "/dashboard/connect", lens === "records")}${tab("Your disks", "/dashboard/connect?lens=files", lens === "files")}</span></nav>
<p class="note connect-lens">${LENS_WORDS[lens]}</p>
<section class="card connect-address" aria-label="Server address">${copyable(mcp, "mcp-address", "address")}
${waiting(view, frame)}</section>
<section><h2>${links.map(({ name }) => name).join(", ")}</h2>
<p class="row connect-links">${links.map(({ name, href }) => html`<a class="button" href="${href}">Add to ${name}</a>`)}</p>
<p class="note">Opens the app on this computer, which asks you before it adds the address. Nothing happens if it is not installed.</p></section>
${Object.entries(commands).map(([client, lines], index) => setup(client, lines, `client-${index}`))}
<section><h2>ChatGPT, Claude.ai and other apps that accept an address</h2>
${local ? notFromHere() : ""}
<ol class="steps">
<li><strong>ChatGPT</strong>: Settings, Apps, Advanced settings, Developer mode on; then Create app. <strong>Claude.ai</strong>: Settings, Connectors, Add custom connector.</li>
<li>Paste the address above. If the app asks for authentication, choose OAuth.</li>
<li>When the app sends you here, sign in, choose what it may read, and allow it.</li>
</ol></section>
<section><h2>More ways</h2>
${Object.entries(more).map(([client, lines], index) => html`<details><summary>${client}</summary>${copyable(lines.join("\n"), `more-${index}`)}</details>`)}
<details><summary>One command for each app, with undo</summary><p class="note">For computers on which both <code>pdpp</code> and the app are installed. The command shows what it will write and asks first; <code>--undo</code> removes it.</p>
${setups.map(({ name, command }, index) => html`<h3>${name}</h3>${copyable(command, `setup-${index}`)}`)}</details>
<details><summary>Any other MCP host</summary>${copyable(JSON.stringify(generic, null, 2), "generic")}</details>
<details><summary>A terminal</summary><p class="note">For scripts, and for apps that start local programs. You approve it in the browser, as with any app.</p>${copyable(terminal, "terminal")}</details>
<details><summary>An agent that reads instructions first</summary><p class="note">Instructions written for agents.</p>${copyable(llms, "llms")}</details>
</section>`,
  };
}

const LENS_WORDS: Record<Audience, Html> = {
  records: html`Mail, chats, notes, calendars, bank statements: whatever you imported or connected.`,
  files: html`Names, sizes and dates of files on the disks that you approved under <a href="/dashboard/files">Files</a>; contents only if you allow it.`,
};

const tab = (label: string, href: string, here: boolean): Html =>
  html`<a href="${href}"${here ? raw(' aria-current="page"') : ""}>${label}</a>`;

function setup(client: string, lines: readonly string[], id: string): Html {
  return html`<section><h2>${client}</h2>${copyable(lines.join("\n"), id)}</section>`;
}

function waiting({ connected }: ConnectView, { times }: PageFrame): Html {
  if (connected.length === 0)
    return html`<p id="connected" class="waiting" role="status" data-live="2000"><span class="pulse" aria-hidden="true"></span>Waiting for your app…<noscript>Reload this page when you have connected it.</noscript></p>`;
  return html`<div id="connected" role="status" data-live="2000"><ul class="list">${connected.map(
    ({ client, clientId, at, streams, readAt }) => html`<li class="row"><span class="badge good">Connected</span>
<a href="/dashboard/apps/${encodeURIComponent(clientId)}"><bdi>${clientWords(client)}</bdi></a> ${clientBadge(client)}
<span class="note">${times.ago(at)} · may read ${countOf(streams, "stream")}${readAt === null ? " · has not read anything yet" : html` · last read ${times.ago(readAt)}`}</span></li>`,
  )}</ul></div>`;
}

function notFromHere(): Html {
  return html`<div class="alert warn"><p>These apps run elsewhere and cannot reach this address, which works only on this computer.</p></div>
<p class="note">Give this server a public https address of your own (with a reverse proxy or a tunnel), start it with <code>pdpp serve --public-url https://data.example.org</code>, and open this page there.</p>`;
}
