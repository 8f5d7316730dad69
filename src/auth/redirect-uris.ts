// Decides which redirect URIs an app may register, and which registered URI a request matches (SECURITY row 4).

type ApplicationType = "web" | "native";

const LENGTH_MAX = 2048;

/** RFC 3986 without "#" and "*": no fragment, wildcard, backslash, space, control character or non-ASCII character. */
const CHARACTERS = /^[A-Za-z0-9\-._~:/?[\]@!$&'()+,;=%]+$/;
const BROKEN_ESCAPE = /%(?![0-9A-Fa-f]{2})/;
/** Escapes that some servers turn into a separator, a dot segment or the end of a string. */
const TRICKY_ESCAPE = /%(?:[01][0-9a-f]|2e|2f|5c|7f)/i;

/** The port is matched here because the URL parser would drop an explicit 80. */
const LOOPBACK = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?::([1-9]\d{0,4}))?((?:\/.*)?)$/;

/**
 * At least two labels, the last one with a letter. An IP address or a bare name does not identify a site's operator.
 */
const HOST_NAME = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?=[0-9-]*[a-z])[a-z0-9-]{1,63}$/;

/** RFC 8252 §7.1: a private-use scheme is the reversed domain name of the app's developer. */
const REVERSED_DOMAIN = /^[a-z]{2,}(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+:\/{1,3}[^/]/;
/** Editors in the VS Code family pass `editor://publisher.extension/…` to that extension. */
const EDITOR_EXTENSION = /^(?:cursor|vscode|vscode-insiders|vscodium|windsurf):\/\/[a-z0-9-]+\.[a-z0-9-]+\/[^/]/;

/**
 * Parameters of the authorization response. If an app's own URI contained them, the app could not tell them from ours.
 */
const RESPONSE_PARAMETERS = ["code", "state", "iss", "error", "error_description", "error_uri", "response"];

/** Returns why a URI cannot be registered, or undefined if it can. */
export function validateRedirectUri(
  uri: string,
  { applicationType }: { applicationType: ApplicationType },
): string | undefined {
  if (uri.length > LENGTH_MAX) return `is longer than ${LENGTH_MAX} characters`;
  if (!CHARACTERS.test(uri)) {
    return "has a fragment, wildcard, backslash, space, control character or a character outside ASCII";
  }
  const loopback = parseLoopback(uri);
  const written = loopback === undefined ? uri : `http://${loopback.host}${loopback.rest}`;
  const parsed = URL.parse(written);
  if (parsed === null) return "is not an absolute URI";
  if (parsed.username !== "" || parsed.password !== "") return "has a user name or password in it";
  if (parsed.href !== written && parsed.href !== `${written}/`) return `is another way to write ${parsed.href}`;
  if (BROKEN_ESCAPE.test(uri) || TRICKY_ESCAPE.test(parsed.pathname)) {
    return "hides a slash, dot or control character in a percent-escape";
  }
  const taken = RESPONSE_PARAMETERS.find((name) => parsed.searchParams.has(name));
  if (taken !== undefined) return `has a query parameter ${taken}, which is reserved for the response`;
  if (loopback !== undefined) return undefined;
  if (parsed.protocol === "http:") return "uses http outside localhost, 127.0.0.1 and [::1]; use https";
  if (parsed.protocol === "https:") {
    return HOST_NAME.test(parsed.hostname) && !parsed.hostname.endsWith(".localhost")
      ? undefined
      : "needs a full host name after https://";
  }
  if (parsed.port !== "" || !(REVERSED_DOMAIN.test(uri) || EDITOR_EXTENSION.test(uri))) {
    return "uses a scheme that is neither https nor a reversed domain (com.example.app:/callback)";
  }
  return applicationType === "native"
    ? undefined
    : `uses the scheme ${parsed.protocol}, which only native apps can use`;
}

/**
 * True if both are equal as strings. On the loopback interface any port matches, because an app uses whatever port is
 * free (RFC 8252 §7.3). `registered` has passed validateRedirectUri.
 */
export function matchesRedirect(registered: string, presented: string): boolean {
  if (registered === presented) return true;
  const [mine, theirs] = [parseLoopback(registered), parseLoopback(presented)];
  return mine !== undefined && theirs !== undefined && mine.host === theirs.host && mine.rest === theirs.rest;
}

function parseLoopback(uri: string): { host: string; rest: string } | undefined {
  const [, host, port, rest] = LOOPBACK.exec(uri) ?? [];
  if (host === undefined || Number(port ?? 80) > 65_535) return undefined;
  return { host, rest: rest! };
}
