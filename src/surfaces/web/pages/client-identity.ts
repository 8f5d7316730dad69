// Who an app is, on a page: the proven host large, what it calls itself small and in quotes.
import { html } from "hono/html";
import { claimsTrust, cleanDisplayName, looksConfusable } from "../../../core/display-name.ts";
import type { Html } from "../layout.ts";
import type { ConsentClient } from "./consent-view.ts";

type Client = Pick<ConsentClient, "verifiedHost" | "claimedName" | "unverified">;

/** Long enough for any real host; the rest would only push the page about. */
const HOST_LENGTH_MAX = 120;

export function isVerified(client: Client): client is Client & { verifiedHost: string } {
  return !client.unverified && client.verifiedHost !== undefined;
}

/** The one line for titles and sentences: the host when it is proven, else the quoted claim. */
export function clientWords(client: Client): string {
  if (isVerified(client)) return hostWords(client.verifiedHost);
  const name = cleanDisplayName(client.claimedName);
  return name === "" ? "an unnamed app" : `“${name}”`;
}

export function hostWords(host: string): string {
  return cleanDisplayName(host, HOST_LENGTH_MAX);
}

export function clientBadge(client: Client): Html {
  return isVerified(client)
    ? html`<span class="badge good">Verified host</span>`
    : html`<span class="badge warn">Unverified</span>`;
}

/** Heading, badge and what is behind them. */
export function clientHeading(client: Client): Html {
  const name = cleanDisplayName(client.claimedName);
  const claimed = name === "" ? html`It gives no name.` : html`It calls itself <q><bdi>${name}</bdi></q>.`;
  const identity = isVerified(client)
    ? html`<div class="who"><h1><bdi>${hostWords(client.verifiedHost)}</bdi></h1>${clientBadge(client)}</div>
<p class="who-claim">${claimed}</p>`
    : html`<div class="who"><h1>An unverified app</h1>${clientBadge(client)}</div>
<p class="who-claim">${claimed} Any app can choose any name, and nothing proves who made this one. Go on only if you started this yourself.</p>`;
  return html`${identity}${nameWarnings(name)}`;
}

function nameWarnings(name: string): Html | "" {
  const warnings = [
    ...(looksConfusable(name)
      ? ["This name mixes letters of different alphabets that look alike. It may imitate another app."]
      : []),
    ...(claimsTrust(name)
      ? ["The words of this name are the app’s own. What this server knows stands beside the heading."]
      : []),
  ];
  if (warnings.length === 0) return "";
  return html`<ul class="name-warnings">${warnings.map((text) => html`<li>${text}</li>`)}</ul>`;
}
