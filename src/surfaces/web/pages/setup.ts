// The first start: the owner chooses a name and a password.
import { html } from "hono/html";
import { alert, documentOf, hidden } from "../layout.ts";

export interface SetupView {
  action: string;
  csrf: string;
  /** The one-time code of the setup link. */
  code: string;
  passwordMinLength: number;
  error?: string;
  values?: { name?: string };
}

export function setupPage({ action, csrf, code, passwordMinLength, error, values }: SetupView): string {
  return documentOf({
    title: "Set up",
    width: "narrow",
    body: html`<p class="eyebrow">First-time setup</p>
<h1>This server is yours</h1>
<p class="lead">Choose how you sign in. Only you can see what is here, and only you can let apps read it.</p>
${alert(error === undefined ? [] : [error])}
<form class="card stack" method="post" action="${action}">
${hidden({ csrf, code })}
<label>Your name
<input type="text" name="name" value="${values?.name ?? ""}" autocomplete="username" required maxlength="100" autocapitalize="words" spellcheck="false"></label>
<label>Password
<input type="password" name="password" autocomplete="new-password" required minlength="${passwordMinLength}" maxlength="1000" aria-describedby="password-hint"></label>
<p class="hint" id="password-hint">At least ${passwordMinLength} characters. Several unrelated words are better than one word with symbols.</p>
<button class="button primary">Set up</button>
</form>
<p class="note">If you forget your password, run <code>pdpp owner reset</code> in the server’s terminal to choose another. Your data is kept.</p>`,
  });
}
