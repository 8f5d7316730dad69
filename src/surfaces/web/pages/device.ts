// A device without a browser asks for access. The owner types its code, then confirms having started the request.
import { html } from "hono/html";
import { alert, documentOf, type Html, hidden, type Layout } from "../layout.ts";
import { claimSentence, type NamedClient, nameWarnings } from "./client-identity.ts";

export interface DeviceView {
  action: string;
  csrf: string;
  hidden?: Record<string, string>;
  userCode?: string;
  error?: string;
  owner?: Layout["owner"];
}

/**
 * Says how the origin of a device flow compares with this browser, so that the owner can recognise someone else's
 * request.
 */
export type StartedFrom =
  | { place: "this-computer" | "server" | "same-address" }
  | { place: "elsewhere"; address: string };

export interface DeviceConfirmView {
  action: string;
  csrf: string;
  hidden?: Record<string, string>;
  userCode: string;
  client: NamedClient;
  startedFrom: StartedFrom;
  minutesAgo: number;
  owner?: Layout["owner"];
}

export function devicePage({ action, csrf, hidden: more, userCode, error, owner }: DeviceView): string {
  return documentOf({
    title: "Connect a device",
    width: "narrow",
    owner,
    body: html`<h1>Connect a device</h1>
<p class="lead">Type the code that your terminal or device shows.</p>
${alert(error === undefined ? [] : [error])}
<form class="card stack" method="post" action="${action}">
${hidden({ ...more, csrf })}
<label>Code
<input class="user-code" type="text" name="user_code" value="${userCode ?? ""}" autocomplete="off" autocapitalize="characters" spellcheck="false" required maxlength="40"></label>
<button class="button primary">Continue</button>
</form>
<p class="note">Use only a code that you see on your own device. If someone sent you a code or this link, close the page: otherwise you would be giving them your data.</p>`,
  });
}

/** Sends `confirm=yes` or `abort=yes`. Nothing about the app is verified here, so the page shows no verification. */
export function deviceConfirmPage(view: DeviceConfirmView): string {
  const { action, csrf, hidden: more, userCode, client, owner } = view;
  return documentOf({
    title: "Did you start this?",
    width: "narrow",
    owner,
    body: html`<p class="eyebrow">A device asks for access to your data</p>
<h1>Did you start this?</h1>
<p class="lead"><strong>The person who started this request gets access.</strong> This page cannot tell who that is. You can.</p>
<form class="card stack" method="post" action="${action}">
${hidden({ ...more, csrf, user_code: userCode })}
<ol class="device-checks">
<li><p id="compare">Look at the device where you started this. It must show this code right now:</p>
<p class="code-shown" aria-describedby="compare">${userCode}</p></li>
<li><p>The request came ${startedWords(view.startedFrom)}, ${agoWords(view.minutesAgo)}. Is that right?</p></li>
<li><p>Did the code reach you in a message, a call or a link? If so, deny the request: someone else is asking for your data.</p></li>
</ol>
<div class="buttons">
<button class="button firm" name="abort" value="yes">Deny</button>
<button class="button primary" name="confirm" value="yes">Yes, I started it</button>
</div>
</form>
<p class="note">${claimSentence(client)} Nothing proves this: anyone can start a request under any name.</p>
${nameWarnings(client)}`,
  });
}

const PLACES = {
  "this-computer": "from this computer",
  server: "from the computer that runs your Postern",
  "same-address": "from the network that you are on",
  elsewhere: "from a network address other than yours",
};

function startedWords(from: StartedFrom): Html {
  const address = from.place === "elsewhere" ? html`, <bdi>${from.address}</bdi>` : "";
  return html`<strong>${PLACES[from.place]}</strong>${address}`;
}

function agoWords(minutes: number): string {
  if (minutes < 1) return "less than a minute ago";
  return minutes === 1 ? "a minute ago" : `${minutes} minutes ago`;
}
