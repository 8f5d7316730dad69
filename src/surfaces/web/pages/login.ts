// The sign-in page.
import { html } from "hono/html";
import { countOf } from "../format.ts";
import { alert, documentOf, type Html, hidden } from "../layout.ts";

export interface LoginView {
  action: string;
  csrf: string;
  returnTo: string;
  error?: string;
  /** Set after too many wrong attempts. */
  retryAfterSeconds?: number;
  /** Says why the owner has to sign in. */
  reason?: string;
  /** True if the owner has access to the server's terminal. Otherwise only the operator does. */
  hasTerminal: boolean;
  /** True if the address had no key, although the browser may have one. */
  findsKey?: boolean;
  /** The form for signing in with a passkey. */
  passkey?: Html;
}

export function loginPage({
  action,
  csrf,
  returnTo,
  error,
  retryAfterSeconds,
  reason,
  hasTerminal,
  findsKey,
  passkey,
}: LoginView): string {
  const wait =
    retryAfterSeconds === undefined ? [] : [`Too many failed attempts. Try again in ${waitWords(retryAfterSeconds)}.`];
  return documentOf({
    title: "Sign in",
    findsKey,
    width: "narrow",
    body: html`<h1>Sign in</h1>
<p class="lead">${reason ?? "Only the owner can see the data on this server."}</p>
${alert([...(error === undefined ? [] : [error]), ...wait])}
<form class="card stack" method="post" action="${action}">
${hidden({ csrf, return_to: returnTo })}
<label>Name
<input type="text" name="name" autocomplete="username" required maxlength="100" spellcheck="false"></label>
<label>Password
<input type="password" name="password" autocomplete="current-password" required maxlength="1000"></label>
<button class="button primary">Sign in</button>
</form>
${passkey ?? ""}
<p class="note">Forgot your password? ${hasTerminal ? html`Run <code>pdpp owner reset</code> in the server’s terminal.` : "The operator of this server can send you a link to set a new one."}</p>`,
  });
}

function waitWords(seconds: number): string {
  return seconds < 90 ? countOf(Math.max(1, Math.ceil(seconds)), "second") : countOf(Math.ceil(seconds / 60), "minute");
}
