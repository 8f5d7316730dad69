// A device without a browser asks: the owner types its code, then compares it before going on.
import { html } from "hono/html";
import { alert, documentOf, hidden, type Layout } from "../layout.ts";
import { clientHeading } from "./client-identity.ts";
import type { ConsentClient } from "./consent-view.ts";

export interface DeviceView {
  action: string;
  csrf: string;
  hidden?: Record<string, string>;
  userCode?: string;
  error?: string;
  owner?: Layout["owner"];
}

export interface DeviceConfirmView {
  action: string;
  csrf: string;
  hidden?: Record<string, string>;
  userCode: string;
  client: Pick<ConsentClient, "verifiedHost" | "claimedName" | "unverified">;
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
<p class="note">Nothing is shared yet: on the next page you see who asks, and for what.</p>`,
  });
}

/** Sends `confirm=yes` or `abort=yes`. */
export function deviceConfirmPage({ action, csrf, hidden: more, userCode, client, owner }: DeviceConfirmView): string {
  return documentOf({
    title: "Is this your device?",
    width: "narrow",
    owner,
    body: html`<p class="eyebrow">A device asks to be connected</p>
${clientHeading(client)}
<form class="card stack" method="post" action="${action}">
${hidden({ ...more, csrf, user_code: userCode })}
<p id="compare">Does your device show exactly this code?</p>
<p class="code-shown" aria-describedby="compare">${userCode}</p>
<div class="buttons">
<button class="button firm" name="abort" value="yes">Deny</button>
<button class="button primary" name="confirm" value="yes">Continue</button>
</div>
</form>
<p class="note">Somebody sent you this code or a link to this page? Then deny: you would connect their device, not yours.</p>`,
  });
}
