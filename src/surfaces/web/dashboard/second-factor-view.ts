// The view of the owner's second factors: existing ones, adding one, and recovery codes.
import { html, raw } from "hono/html";
import { renderSVG } from "uqr";
import { SECOND_FACTORS } from "../../../contract/second-factor.ts";
import { copyable } from "../copyable.ts";
import { countOf } from "../format.ts";
import { alert, type Html, hidden } from "../layout.ts";
import type { PageContent, PageFrame } from "../owner-page.ts";
import { passkeyForm } from "../passkey-form.ts";
import type { SecondFactorView } from "./second-factor.ts";
import { done } from "./words.ts";

export const SIGN_IN_SETTINGS = "/dashboard/settings/sign-in";

export function showSecondFactor(view: SecondFactorView, frame: PageFrame): PageContent {
  return {
    title: "Signing in",
    width: "middle",
    body: html`<nav class="crumbs" aria-label="Breadcrumb"><a href="/dashboard/settings">Settings</a> <span aria-hidden="true">›</span> <span>Signing in</span></nav>
<h1>Signing in</h1>
<p class="lead">${
      view.factors.required
        ? "Signing in needs a passkey, or your password and a code."
        : "Only your password is needed to sign in. Add a passkey or an authenticator app, so that a stolen password is not enough."
    }</p>
${alert(view.error === undefined ? [] : [view.error])}
${view.done === undefined ? "" : done(view.done)}
${view.codes === undefined ? "" : codes(view.codes)}
<div class="settings">${passkeys(view, frame)}${authenticator(view, frame)}${recovery(view, frame)}</div>`,
  };
}

const post = (frame: PageFrame, what: Record<string, string>, button: Html): Html =>
  html`<form class="end" method="post" action="${SIGN_IN_SETTINGS}">${hidden({ csrf: frame.csrf, ...what })}${button}</form>`;

function passkeys({ factors, passkeyOptions }: SecondFactorView, frame: PageFrame): Html {
  const { times, csrf } = frame;
  const rows = factors.passkeys.map(
    ({ id, name, server, added_at, used_at }) =>
      html`<li class="row"><div><bdi>${name}</bdi><p class="note">for ${server}, since ${times.day(added_at)}${used_at === undefined ? ", not used yet" : html`, last used ${times.ago(used_at)}`}</p></div>
${post(frame, { do: "remove", id }, html`<button class="button danger">Remove<span class="visually-hidden"> ${name}</span></button>`)}</li>`,
  );
  return html`<section class="card" id="passkeys" aria-labelledby="passkeys-title"><h2 id="passkeys-title">Passkeys</h2>
<p class="note">A passkey is stored on your phone, computer or security key and unlocked with your fingerprint, face or PIN. It replaces the password, and a fake page cannot steal it.</p>
${rows.length === 0 ? "" : html`<ul class="list">${rows}</ul>`}
${
  passkeyOptions === undefined
    ? html`<p class="note">Passkeys need an https address with a host name. The address of this server is <code>${frame.origin}</code>; an authenticator app works here.</p>`
    : html`${passkeyForm({
        options: passkeyOptions,
        action: SIGN_IN_SETTINGS,
        fields: hidden({ csrf, do: "passkey" }),
        button: "Add a passkey",
        create: true,
        more: html`<label>Name of the device<input type="text" name="name" maxlength="${SECOND_FACTORS.nameMax}" placeholder="Phone" autocomplete="off"></label>`,
      })}<noscript><p class="note">Passkeys need JavaScript in the browser.</p></noscript>`
}</section>`;
}

function authenticator({ factors, setup }: SecondFactorView, frame: PageFrame): Html {
  const added = factors.authenticator;
  return html`<section class="card" id="authenticator" aria-labelledby="authenticator-title"><header class="row"><h2 id="authenticator-title">Authenticator app</h2>${
    setup !== undefined
      ? ""
      : added === undefined
        ? post(frame, { do: "start" }, html`<button class="button">Set up</button>`)
        : post(
            frame,
            { do: "remove", id: "authenticator" },
            html`<button class="button danger">Remove<span class="visually-hidden"> the authenticator app</span></button>`,
          )
  }</header>
<p class="note">${
    added === undefined
      ? "An app on your phone that shows a new six-digit code every 30 seconds, such as Aegis, 2FAS or Google Authenticator."
      : html`Set up on ${frame.times.day(added.added_at)}. After your password, you are asked for its code.`
  }</p>${setup === undefined ? "" : setupForm(setup, frame)}</section>`;
}

const setupForm = ({ secret, uri }: NonNullable<SecondFactorView["setup"]>, { csrf }: PageFrame): Html =>
  html`<ol class="setup-steps"><li><p>Scan this with the app, or type the secret into it.</p>
<div class="qr" role="img" aria-label="QR code with the secret below">${raw(renderSVG(uri, { border: 2 }))}</div>
${copyable(secret.match(/.{1,4}/g)!.join(" "), "authenticator-secret")}</li>
<li><form class="stack" method="post" action="${SIGN_IN_SETTINGS}">${hidden({ csrf, do: "authenticator", secret })}
<label>The code that the app shows now<input type="text" name="code" inputmode="numeric" autocomplete="one-time-code" required maxlength="20"></label>
<p><button class="button primary">Turn on</button></p></form></li></ol>`;

function recovery({ factors }: SecondFactorView, frame: PageFrame): Html | "" {
  if (!factors.required) return "";
  const { recovery_codes_left: left } = factors;
  return html`<section class="card" id="recovery" aria-labelledby="recovery-title"><header class="row"><h2 id="recovery-title">Recovery codes</h2>${post(frame, { do: "codes" }, html`<button class="button">Create new codes</button>`)}</header>
<p class="note">${countOf(left, "code")} left. If you lose your phone, each can be used once instead of an authenticator code. New codes replace these.</p></section>`;
}

const codes = (list: readonly string[]): Html =>
  html`<section class="card" id="codes" aria-labelledby="codes-title"><h2 id="codes-title">Write these recovery codes down</h2>
<p>They are shown only once. Each lets you sign in once if you have lost your phone or passkey. Keep them with your important papers, not on this device.</p>
${copyable(list.join("\n"), "recovery-codes")}</section>`;
