// Asks the owner for the password again, and then processes the form that was sent.
import { html } from "hono/html";
import { alert, documentOf, type Html, type Layout } from "../layout.ts";

export interface ConfirmPasswordView extends Pick<Layout, "owner" | "nav"> {
  action: string;
  /** The fields of the form that was sent. */
  fields: readonly (readonly [string, string])[];
  /** The name of the password field. */
  field: string;
  error?: string;
  /** The same form, completed with a passkey instead. */
  passkey?: Html;
}

/** A field name can occur twice. */
export const keptFields = (fields: ConfirmPasswordView["fields"]): Html =>
  html`${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`;

export function confirmPasswordPage({
  action,
  fields,
  field,
  error,
  passkey,
  owner,
  nav,
}: ConfirmPasswordView): string {
  return documentOf({
    title: "Enter your password",
    width: "narrow",
    owner,
    nav,
    body: html`<h1>Enter your password to continue</h1>
<p class="lead">This gives lasting access to your data, so your password is needed again. What you have entered is kept.</p>
${alert(error === undefined ? [] : [error])}
<form class="card stack" method="post" action="${action}">
${keptFields(fields)}
<input type="text" name="username" value="${owner?.name ?? ""}" autocomplete="username" hidden>
<label>Password
<input type="password" name="${field}" autocomplete="current-password" required maxlength="1000" autofocus></label>
<button class="button primary">Continue</button>
</form>
${passkey ?? ""}
<p class="note">You only have to do this when more than 10 minutes have passed since you last entered your password. To leave everything unchanged, go back.</p>`,
  });
}
