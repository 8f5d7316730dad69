// The text of the help page.
import { html } from "hono/html";
import type { Html } from "../layout.ts";
import type { PageContent } from "../owner-page.ts";

export const HELP = "/dashboard/help";

const KEYS: readonly (readonly [keys: readonly string[], text: string])[] = [
  [["Ctrl", "K"], "Go to a page, a source, a stream or a person, or search (on a Mac: ⌘ K)"],
  [["/"], "Search"],
  [["j"], "Next item in a list"],
  [["k"], "Previous item in a list"],
  [["Enter"], "Open the item"],
  [["Esc"], "Close, or leave the list or the field"],
  [["?"], "Show these keys"],
];

const QUESTIONS: readonly (readonly [question: string, answer: Html])[] = [
  [
    "What is this?",
    html`<p>Postern keeps copies of your own data (mail, chats, notes, calendars, bank statements, photos, files) in one place that belongs to you. You can look at all of it here, and AI apps can read the parts that you allow.</p>`,
  ],
  [
    "How does my data get here?",
    html`<p><a href="/dashboard/import">Import</a> reads the export files that services give you, and can undo an import. <a href="/dashboard/add">Add a source</a> keeps a mailbox, a calendar or a folder up to date. All sources are listed under <a href="/dashboard/connections">Connections</a>.</p>`,
  ],
  [
    "How does an app get access to my data?",
    html`<p><a href="/dashboard/connect">Connect an AI app</a> shows how. The app asks for access, you see what it wants to read, and you decide what to allow: everything, everything with some exceptions, or only what you pick. That permission is called a grant. Apps can read; they cannot change or delete anything.</p>`,
  ],
  [
    "What did an app see?",
    html`<p><a href="/dashboard/apps">Apps</a> has a card for each app, and <a href="/dashboard/activity">Activity</a> lists every request. An app cannot read anything without it being recorded there.</p>`,
  ],
  [
    "How do I stop an app?",
    html`<p>Revoke its grant on its card. Its next request is refused. You can undo that for a minute; until you do, the app has no access.</p>`,
  ],
  [
    "Who else can see my data?",
    html`<p>Nobody, unless you give an app access. The data is in a folder on the machine that this server runs on. Pages load nothing from elsewhere, and no usage data is sent. Protect the sign-in with <a href="/dashboard/settings/sign-in">a passkey or a second factor</a>.</p>`,
  ],
  [
    "What if something is lost?",
    html`<p>You can make and restore backups in <a href="/dashboard/settings#backups">Settings</a>. Copy them to another disk. After a change that can be undone, the page offers Undo.</p>`,
  ],
];

export function showHelp(): PageContent {
  return {
    title: "Help",
    width: "middle",
    body: html`<h1>Help</h1>
${QUESTIONS.map(([question, answer]) => html`<section class="help"><h2>${question}</h2>${answer}</section>`)}
<section class="help" id="keys" aria-labelledby="keys-title"><h2 id="keys-title">Keys</h2><dl class="keys">${KEYS.map(
      ([keys, text]) => html`<div><dt>${keys.map((key) => html`<kbd>${key}</kbd> `)}</dt><dd>${text}</dd></div>`,
    )}</dl></section>`,
  };
}
