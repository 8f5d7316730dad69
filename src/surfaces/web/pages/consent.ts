// The consent page: which app asks, what it would read, and for how long. Denying is as easy as allowing (X-07). It
// works without JavaScript.
import { html } from "hono/html";
import { isLoopbackHost } from "../../../auth/client-identity.ts";
import { cleanDisplayName } from "../../../core/display-name.ts";
import { consentScriptPath } from "../assets.ts";
import { dayValue, formatSpan } from "../format.ts";
import { alert, attribute, documentOf, type Html, hidden } from "../layout.ts";
import { clientHeading, clientWords, hostWords } from "./client-identity.ts";
import { powerList, rootList } from "./consent-roots.ts";
import { sourceList } from "./consent-sources.ts";
import type { ConsentView, RecordsConsent } from "./consent-view.ts";

const CLAIM_LENGTH_MAX = 400;

/** Words for the requested actions. */
const LENS_WORDS = {
  records: { asks: "is asking to read your data", allowed: "It reads what you tick" },
  files: {
    asks: "is asking to browse your files",
    allowed: "It gets what you tick",
  },
};

export function consentPage(view: ConsentView): string {
  return documentOf({
    title: `${clientWords(view.client)} ${LENS_WORDS[view.lens].asks}`,
    owner: view.owner,
    scripts: [consentScriptPath],
    body: html`<form class="consent" method="post" action="${view.action}">
${hidden({ csrf: view.csrf, digest: view.digest })}
<div class="consent-main">
${view.stale ? alert(["The request has changed since you opened this page. Check it again before you decide."], "warn") : ""}
${alert(view.errors ?? [])}
<section class="asker" aria-labelledby="who">
<p class="eyebrow" id="who">An app ${LENS_WORDS[view.lens].asks}</p>
${clientHeading(view.client)}
${view.lens === "records" && view.asks !== undefined ? html`<p class="may"><span class="may-label">Asks to see</span> <bdi>${view.asks}</bdi></p>` : ""}
<dl class="facts">${destination(view)}${website(view)}</dl>
</section>
${words(view)}
${view.lens === "files" ? html`${rootList(view)}${powerList(view)}` : sourceList(view)}
<section aria-labelledby="never">
<h2 id="never">What it can never do</h2>
<ul class="never">${view.cannot.map((text) => html`<li>${text}</li>`)}</ul>
</section>
</div>
${decision(view)}
</form>`,
  });
}

function destination({ client }: ConsentView): Html {
  const { redirectHost, verifiedHost } = client;
  const place =
    redirectHost === undefined
      ? html`to the device that showed you the code`
      : isLoopbackHost(redirectHost)
        ? html`to a program on the computer you are using (<bdi>${hostWords(redirectHost)}</bdi>)`
        : html`to <strong><bdi>${hostWords(redirectHost)}</bdi></strong>${named(redirectHost, verifiedHost)}`;
  return html`<div><dt>Your answer goes</dt><dd>${place}</dd></div>`;
}

/** The app's own document says that a response may go to another host. */
function named(redirectHost: string, verifiedHost: string | undefined): string {
  if (verifiedHost === undefined || verifiedHost === redirectHost) return "";
  return `, which ${hostWords(verifiedHost)} lists as its own`;
}

function website({ client: { clientUri } }: ConsentView): Html | "" {
  if (clientUri === undefined) return "";
  return html`<div><dt>Claimed website</dt><dd><bdi>${hostWords(clientUri)}</bdi></dd></div>`;
}

/** Everything that the app says about itself, in its own words and marked as such. */
function words(view: ConsentView): Html | "" {
  const { purpose, retention, claims = [] } = view;
  const said = [
    ...(purpose.description ? [{ label: "Purpose", text: purpose.description }] : []),
    ...(retention ? [{ label: "How long it keeps data", text: retention }] : []),
    ...claims,
  ];
  if (said.length === 0 && purpose.code === undefined) return "";
  const code =
    purpose.code === undefined
      ? ""
      : html`<p class="code">Purpose: <code>${cleanDisplayName(purpose.code, 200)}</code></p>`;
  return html`<section class="says" aria-labelledby="says">
<h2 id="says">${clientWords(view.client)} says:</h2>
<dl class="facts">${said.map(
    ({ label, text }) =>
      html`<div><dt>${cleanDisplayName(label, 80)}</dt><dd><q><bdi>${cleanDisplayName(text, CLAIM_LENGTH_MAX)}</bdi></q></dd></div>`,
  )}</dl>
${code}
<p class="note">Its own words. This server does not check them and cannot make the app keep to them.</p>
</section>`;
}

function decision(view: ConsentView): Html {
  const { durations, purpose, lens } = view;
  const training = purpose.aiTraining
    ? html`<label class="training"><input type="checkbox" name="ai_training" value="yes"><span><strong>Train AI models with it.</strong> I agree that what I allow here may be used to train AI models. Training cannot be undone.</span></label>`
    : "";
  const { allowed } = LENS_WORDS[lens];
  return html`<aside class="decision" aria-labelledby="decide">
<h2 id="decide">Your decision</h2>
${connectedAlready(view)}
${view.lens === "records" ? period(view) : ""}
<fieldset class="durations">
<legend>For how long</legend>
${durations.map(
  ({ value, label, checked, disabled }) =>
    html`<label class="choice"><input type="radio" name="duration" value="${value}"${attribute("checked", checked)}${attribute("disabled", disabled)}><span>${label}</span></label>`,
)}
</fieldset>
${training}
<p class="summary" data-lens="${lens}" aria-live="polite">${summary(view, allowed)}</p>
<div class="buttons">
<button class="button firm" name="decision" value="deny">Deny</button>
<button class="button primary" name="decision" value="allow">Allow</button>
</div>
${lens === "records" ? html`<button class="link in-words" name="decision" value="look">Update the summary</button>` : ""}
<p class="hint">You can change or revoke this at any time; changes take effect at the next request.</p>
</aside>`;
}

/** A script keeps the summary up to date. Without it, the summary describes the answer that was sent last. */
function summary({ allows }: ConsentView, allowed: string): Html {
  if (allows !== undefined) return html`It may see: <bdi>${allows}</bdi>. Nothing else.`;
  return html`<span class="when-none">Nothing is chosen yet.</span><span class="when-some">${allowed}, and nothing else.</span>`;
}

/** Replacing is preselected only if it is certainly the same app, because anyone can choose a name. */
function connectedAlready({ connected, client, answer }: ConsentView): Html | "" {
  if (connected === undefined) return "";
  const { sentence, since, isSame } = connected;
  const replaces = answer?.replaces ?? isSame;
  const choice = (value: string, label: string, checked: boolean): Html =>
    html`<label class="choice"><input type="radio" name="before" value="${value}"${attribute("checked", checked)}><span>${label}</span></label>`;
  return html`<fieldset class="before"><legend>${isSame ? html`<bdi>${clientWords(client)}</bdi> is already connected` : html`An app called <bdi>${clientWords(client)}</bdi> is already connected`}</legend>
<p class="hint">Since ${since}, it has been allowed to see: <bdi>${sentence}</bdi>.</p>
${choice("replace", "Replace that with what I allow now", replaces)}
${choice("keep", "Keep both", !replaces)}
</fieldset>`;
}

/** Shown only if something has a date. */
function period({ time, sources }: RecordsConsent): Html | "" {
  const streams = sources.flatMap((source) => source.connections.flatMap((connection) => connection.streams));
  if (!streams.some((stream) => stream.timeField !== undefined)) return "";
  const { since, until, maxSince, maxUntil } = time;
  const limits = html`${maxSince === undefined ? "" : html` min="${dayValue(maxSince)}"`}${maxUntil === undefined ? "" : html` max="${dayValue(maxUntil)}"`}`;
  const asked = formatSpan(maxSince, maxUntil);
  return html`<fieldset class="period">
<legend>Time span</legend>
<div class="dates">
<label>From<input type="date" name="since" value="${dayValue(since)}"${limits}></label>
<label>Before<input type="date" name="until" value="${dayValue(until)}"${limits}></label>
</div>
<p class="hint">${asked === undefined ? "Leave empty for any time." : `It asked for ${asked}; you can narrow it.`}</p>
</fieldset>`;
}
