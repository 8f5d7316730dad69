// The document around every page: head, logo, signed-in owner, main content and footer.
import { html, raw } from "hono/html";
import type { Theme } from "../../contract/preferences.ts";
import { browserKeyScriptPath, iconPath, passkeyScriptPath, passwordScriptPath, stylesheetPath } from "./assets.ts";

/**
 * A piece of a page, already escaped. It is never a promise, because pages contain no promises; hono's type allows
 * both.
 */
export type Html = ReturnType<typeof html>;

export interface Layout {
  title: string;
  /** narrow: a form with few fields. middle: text and lists. wide: columns. */
  width?: "narrow" | "middle" | "wide";
  /** The signed-in owner, and the form that signs out. */
  owner?: { name: string; theme?: Theme; signOut?: { action: string; csrf: string } };
  /** The navigation, next to the page, or above it on narrow screens. */
  nav?: readonly { label: string; href: string; icon: Html; current: boolean; primary?: boolean }[];
  /** The address may lack this browser's key. A script adds it if it is known. */
  findsKey?: boolean;
  /** The time zone that the page was made for. */
  zone?: string;
  /** Paths of scripts that improve the page. It works without them. */
  scripts?: readonly string[];
  body: Html;
}

/** The logo: an arched door, ajar. */
const MARK = raw(
  '<svg class="mark" viewBox="0 0 24 24" width="26" height="26" aria-hidden="true" focusable="false">' +
    '<path class="mark-wall" d="M3 22V11a9 9 0 0 1 18 0v11h-3V11a6 6 0 0 0-12 0v11z"/>' +
    '<path class="mark-door" d="M8 22V11.200A4 4 0 0 1 12 7.200l1.700 2.200V20.300z"/></svg>',
);

export function documentOf({
  title,
  width = "wide",
  owner,
  nav,
  findsKey = false,
  zone,
  scripts = [],
  body,
}: Layout): string {
  const theme = owner?.theme ?? "system";
  const used = [...scripts, ...scriptsFor(String(body))];
  const page = html`<!doctype html>
<html lang="en"${theme === "system" ? "" : html` data-theme="${theme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${theme === "system" ? "light dark" : theme}">
<meta name="robots" content="noindex">
<title>${title} · Postern</title>
${keyScript(owner !== undefined, findsKey, zone)}
<link rel="icon" type="image/svg+xml" href="${iconPath}">
<link rel="stylesheet" href="${stylesheetPath}">
${used.map((script) => html`<script src="${script}" defer></script>`)}
</head>
<body${nav === undefined ? "" : raw(' class="with-nav"')}>
<a class="skip" href="#main">Skip to content</a>${String(body).includes(' id="list"') ? html`<a class="skip" href="#list">Skip to the list</a>` : ""}
<header class="top">
<a class="brand" href="${owner === undefined ? "/" : "/dashboard"}">${MARK}<span>Postern</span></a>
${owner === undefined ? "" : signedIn(owner)}
</header>
${nav === undefined ? "" : navigation(nav)}
<main id="main" class="${width}" tabindex="-1">
${body}
</main>
<footer class="bottom"><p>This is your Postern. This page loads nothing from other sites.${nav === undefined ? "" : html` <a href="/dashboard/help">Help and keys</a>`}</p></footer>
</body>
</html>
`;
  return String(page);
}

/**
 * Passkeys and password fields need their script on every page that has them. Stored text cannot contain such an
 * attribute, because its quotes are escaped.
 */
const scriptsFor = (body: string): string[] => [
  ...(body.includes(' type="password"') ? [passwordScriptPath] : []),
  ...(body.includes(' data-passkey="') ? [passkeyScriptPath] : []),
];

/**
 * Only a page behind the sign-in certainly has the right key. Other pages can be opened through anyone's link, with any
 * key.
 */
function keyScript(isSignedIn: boolean, finds: boolean, zone: string | undefined): Html | "" {
  if (!isSignedIn && !finds) return "";
  return html`<script src="${browserKeyScriptPath}" data-key="${isSignedIn ? "keep" : "find"}"${zone === undefined ? "" : html` data-zone="${zone}"`}></script>`;
}

function navigation(nav: NonNullable<Layout["nav"]>): Html {
  const links = nav.map(
    ({ label, href, icon, current, primary }) =>
      html`<a href="${href}"${primary ? raw(' class="primary"') : ""}${current ? raw(' aria-current="page"') : ""}>${icon}<span>${label}</span></a>`,
  );
  return html`<nav class="nav" aria-label="Main">${links}</nav>`;
}

function signedIn({ name, signOut }: NonNullable<Layout["owner"]>): Html {
  const leave =
    signOut === undefined
      ? ""
      : html`<form method="post" action="${signOut.action}">${hidden({ csrf: signOut.csrf })}<button class="link">Sign out</button></form>`;
  return html`<div class="owner">${signOut === undefined ? "" : html`<a class="go" href="/dashboard/go" data-palette>Go to <kbd>Ctrl K</kbd></a>`}<span class="owner-name">${name}</span>${leave}</div>`;
}

/** Shows text in backticks as code. */
export function withCode(text: string): Html {
  return html`${text.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}

/** Hidden fields of a form. */
export function hidden(values: Record<string, string>): Html {
  return html`${Object.entries(values).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`;
}

/** Form errors, shown above the form. */
export function alert(messages: readonly string[], kind: "bad" | "warn" = "bad"): Html | "" {
  if (messages.length === 0) return "";
  const text =
    messages.length === 1
      ? html`<p>${messages[0]}</p>`
      : html`<ul>${messages.map((message) => html`<li>${message}</li>`)}</ul>`;
  return html`<div class="alert ${kind}" role="alert">${text}</div>`;
}

/** Writes a boolean attribute if `present` is true, otherwise nothing. */
export function attribute(
  name: "checked" | "open" | "disabled" | "hidden" | "required" | "selected",
  present: boolean | undefined,
): Html | "" {
  return present === true ? raw(` ${name}`) : "";
}
