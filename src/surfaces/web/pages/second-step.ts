// The page that asks for the second factor after a correct password.
import { html } from "hono/html";
import { alert, documentOf, type Html, hidden } from "../layout.ts";

export interface SecondStepView {
  action: string;
  csrf: string;
  returnTo: string;
  /** A ticket that proves for a few minutes that the password was right. */
  pending: string;
  /** True if an authenticator app is set up. Otherwise only a recovery code can be typed. */
  hasAuthenticator: boolean;
  passkey?: Html;
  error?: string;
  hasTerminal: boolean;
}

export function secondStepPage({
  action,
  csrf,
  returnTo,
  pending,
  hasAuthenticator,
  passkey,
  error,
  hasTerminal,
}: SecondStepView): string {
  const label = hasAuthenticator ? "Code" : "Recovery code";
  return documentOf({
    title: "Second step",
    width: "narrow",
    body: html`<h1>One more step</h1>
<p class="lead">${hasAuthenticator ? "Enter the code that your authenticator app shows now." : "Use your passkey, or enter a recovery code."}</p>
${alert(error === undefined ? [] : [error])}
${passkey ?? ""}
<form class="card stack" method="post" action="${action}">
${hidden({ csrf, return_to: returnTo, pending })}
<label>${label}
<input type="text" name="code" autocomplete="one-time-code" required maxlength="100" spellcheck="false" autocapitalize="none" autofocus${hasAuthenticator ? "" : html` aria-describedby="code-hint"`}></label>
<p class="hint" id="code-hint">${hasAuthenticator ? "Lost your phone? A recovery code works here as well." : "Each recovery code works once."}</p>
<button class="button primary">Continue</button>
</form>
<p class="note">Lost everything? ${hasTerminal ? html`<code>pdpp owner reset</code> in the server’s terminal removes second factors and sets a new password.` : "The operator of this server can send you a link to start over."}</p>`,
  });
}
