// The identity of an app on a page: the verified host in large type, and the name that it gives itself in small type
// and quotes.
import { html } from "hono/html";
import { type ClientIdentity, isLoopbackHost } from "../../../auth/client-identity.ts";
import { claimsTrust, cleanDisplayName, looksConfusable } from "../../../core/display-name.ts";
import { identityMark } from "../../../core/grant-words.ts";
import { formatDay } from "../format.ts";
import type { Html } from "../layout.ts";

/** The facts that a page needs to describe an app. */
export type NamedClient = Pick<ClientIdentity, "verifiedHost" | "claimedHost" | "claimedName">;

/** Long enough for any real host; anything longer would only distort the page. */
const HOST_LENGTH_MAX = 120;

/** Describes an app in one line for titles and sentences: the host if it is verified, otherwise the quoted claim. */
export function clientWords(client: NamedClient): string {
  if (client.verifiedHost !== undefined) return hostWords(client.verifiedHost);
  const name = cleanDisplayName(client.claimedName);
  return name === "" ? "an unnamed app" : `“${name}”`;
}

export function hostWords(host: string): string {
  return cleanDisplayName(host, HOST_LENGTH_MAX);
}

export function clientBadge({ verifiedHost }: NamedClient): Html {
  return html`<span class="badge ${verifiedHost === undefined ? "warn" : "good"}">${identityMark(verifiedHost)}</span>`;
}

/** The app's own claim as a sentence. */
export function claimSentence({ claimedName, claimedHost }: NamedClient): Html {
  const name = cleanDisplayName(claimedName);
  const called = name === "" ? html`The app gives no name` : html`It calls itself <q><bdi>${name}</bdi></q>`;
  const belongs =
    claimedHost === undefined ? "" : html` and says that it belongs to <bdi>${hostWords(claimedHost)}</bdi>`;
  return html`${called}${belongs}.`;
}

/** Heading, badge and explanation for a request that waits for the owner's answer. */
export function clientHeading(client: ClientIdentity): Html {
  const { verifiedHost } = client;
  const identity =
    verifiedHost === undefined
      ? html`<div class="who"><h1>An unverified app</h1>${clientBadge(client)}</div>
<p class="who-claim">${claimSentence(client)} ${whyUnverified(client)}</p>`
      : html`<div class="who"><h1><bdi>${hostWords(verifiedHost)}</bdi></h1>${clientBadge(client)}</div>
<p class="who-claim">${claimSentence(client)}</p>`;
  return html`${identity}${nameWarnings(client)}`;
}

/** Explains why nothing is verified, which depends on where the answer goes. */
function whyUnverified(client: ClientIdentity): string {
  const { claimedHost, redirectHost, copy } = client;
  if (copy !== undefined && claimedHost !== undefined && redirectHost !== undefined) {
    const read =
      copy.readAt === undefined
        ? "came with this version of Postern"
        : `it read there on ${formatDay(new Date(copy.readAt).toISOString())}`;
    const which = copy.readAt === undefined ? "the copy of the app’s description that" : "what";
    return `This server could not reach ${hostWords(claimedHost)} and used ${which} ${read}. Continue only if you started this yourself.`;
  }
  if (redirectHost === undefined) {
    return "Nothing proves this. A device asked for access with a code, and the person who started the request gets access. Continue only if you started it yourself and the code is on your own device.";
  }
  if (claimedHost !== undefined) {
    const what = isLoopbackHost(redirectHost) ? "program on this computer" : "app on this device";
    return `Nothing proves this: any ${what} can present itself this way. Continue only if you started this yourself.`;
  }
  return "Any app can choose any name, and nothing proves who made this one. Continue only if you started this yourself.";
}

export function nameWarnings({ claimedName }: NamedClient): Html | "" {
  const name = cleanDisplayName(claimedName);
  const warnings = [
    ...(looksConfusable(name)
      ? ["This name mixes look-alike letters from different alphabets. It may imitate another app."]
      : []),
    ...(claimsTrust(name)
      ? ["The app chose these words. What this server has verified is shown next to the heading."]
      : []),
  ];
  if (warnings.length === 0) return "";
  return html`<ul class="name-warnings">${warnings.map((text) => html`<li>${text}</li>`)}</ul>`;
}
