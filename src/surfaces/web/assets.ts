// Files that pages load: the stylesheet, the icon and small scripts, under names that change with their content.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { lazy } from "../../core/lazy.ts";

export interface Asset {
  body: string;
  /** The same content, compressed when it is first requested. All browsers accept this. */
  gzip(): Uint8Array<ArrayBuffer>;
  type: string;
  /** The name changes with the content, so a cached copy is valid forever. */
  cacheControl: "public, max-age=31536000, immutable";
}

const assets = new Map<string, Asset>();

export const stylesheetPath = publish("postern", "css", "text/css; charset=utf-8", [
  "styles/tokens.css",
  "styles/base.css",
  "styles/forms.css",
  "styles/consent.css",
  "styles/data.css",
  "styles/dashboard.css",
  "styles/explore.css",
  "styles/kinds.css",
  "styles/timeline.css",
  "styles/import.css",
  "styles/owner.css",
  "styles/gate.css",
  "styles/files.css",
  "styles/map.css",
  "styles/keys.css",
]);
export const iconPath = publish("icon", "svg", "image/svg+xml", ["styles/icon.svg"]);
export const consentScriptPath = publish("consent", "js", "text/javascript; charset=utf-8", ["islands/consent.js"]);
export const goingBackScriptPath = publish("going-back", "js", "text/javascript; charset=utf-8", [
  "islands/going-back.js",
]);

/** Runs before the page is shown. */
export const browserKeyScriptPath = publish("browser-key", "js", "text/javascript; charset=utf-8", [
  "islands/browser-key.js",
]);
export const importScriptPath = publish("import", "js", "text/javascript; charset=utf-8", ["islands/import.js"]);
export const lightboxScriptPath = publish("lightbox", "js", "text/javascript; charset=utf-8", ["islands/lightbox.js"]);
export const mapScriptPath = publish("map", "js", "text/javascript; charset=utf-8", ["islands/map.js"]);
export const passkeyScriptPath = publish("passkey", "js", "text/javascript; charset=utf-8", ["islands/passkey.js"]);
export const passwordScriptPath = publish("password", "js", "text/javascript; charset=utf-8", ["islands/password.js"]);
export const shellScriptPath = publish("shell", "js", "text/javascript; charset=utf-8", [
  "islands/shell.js",
  "islands/keys.js",
]);

/** Returns the asset at a path, or undefined if the path has no asset. */
export function asset(pathname: string): Asset | undefined {
  return assets.get(pathname);
}

/** Reads files next to this module, in the sources as well as in the build. */
function publish(name: string, extension: string, type: string, files: readonly string[]): string {
  const text = files.map((file) => readFileSync(new URL(file, import.meta.url), "utf8")).join("");
  const body = extension === "css" ? compact(text) : text;
  const digest = createHash("sha256").update(body).digest("base64url").slice(0, 12);
  const path = `/assets/${name}.${digest}.${extension}`;
  assets.set(path, {
    body,
    gzip: lazy(() => new Uint8Array(gzipSync(body, { level: 9 }))),
    type,
    cacheControl: "public, max-age=31536000, immutable",
  });
  return path;
}

/**
 * Removes comments and spaces, which are only for readers of the source. No string in our styles contains the replaced
 * characters.
 */
function compact(css: string): string {
  return css
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/\s*([{};,])\s*/g, "$1")
    .replaceAll(": ", ":")
    .replaceAll(";}", "}")
    .trim();
}
