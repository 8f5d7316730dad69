// An owner's browser without JavaScript: a cookie jar, pages, and forms that are filled in and submitted.
import { expect } from "vitest";

export interface Page {
  status: number;
  url: string;
  html: string;
  headers: Headers;
}

export interface Form {
  action: string;
  /** The fields as the page fills them. Only ticked checkboxes are included. */
  fields: [string, string][];
}

export interface OwnerBrowser {
  get(url: string, headers?: Record<string, string>): Promise<Page>;
  post(url: string, fields: readonly (readonly [string, string])[], headers?: Record<string, string>): Promise<Page>;
  cookies: Map<string, string>;
  /** The path segment that only this browser knows once the owner has signed in. */
  key: string | undefined;
  /** Returns the Cookie header for a path. */
  jar(path: string): string;
}

export const OWNER = { name: "Nora Keane", password: "correct horse battery" };

/**
 * Stays on one server: at a redirect to another origin, it stops and returns the target in `url`, without the browser's
 * key. Like the page's script, it stores the key and adds it to the paths that it requests.
 */
export function ownerBrowser(origin: string): OwnerBrowser {
  const cookies = new Map<string, string>();
  const paths = new Map<string, string>();
  const browser: OwnerBrowser = {
    cookies,
    key: undefined,
    jar: (path) =>
      [...cookies]
        .filter(([name]) => path.startsWith(paths.get(name) ?? "/"))
        .map(([name, value]) => `${name}=${value}`)
        .join("; "),
    get: (url, headers = {}) => go(new URL(url, origin).href, { headers }),
    // A bare path gets the key, as it would in a form on a page.
    post: (url, fields, headers = {}) =>
      go(new URL(browser.key !== undefined && /^\/(?!~)/.test(url) ? `/~${browser.key}${url}` : url, origin).href, {
        method: "POST",
        headers: { origin, "content-type": "application/x-www-form-urlencoded", ...headers },
        body: new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value])).toString(),
      }),
  };
  async function go(url: string, init: RequestInit): Promise<Page> {
    const { pathname, search } = new URL(url);
    const response = await fetch(url, {
      ...init,
      redirect: "manual",
      headers: { ...(init.headers as Record<string, string>), cookie: browser.jar(pathname), accept: "text/html" },
    });
    for (const line of response.headers.getSetCookie()) keep(cookies, paths, line);
    const location = response.headers.get("location");
    if (location !== null && response.status >= 300 && response.status < 400) {
      const next = new URL(location, url).href;
      await response.arrayBuffer();
      if (!next.startsWith(`${origin}/`))
        return { status: response.status, url: next, html: "", headers: response.headers };
      return go(next, { headers: {} });
    }
    const html = await response.text();
    const key = /^\/~([\w-]{22})\//.exec(pathname)?.[1];
    if (html.includes('data-key="keep"')) browser.key = key;
    if (html.includes('data-key="find"') && key === undefined && browser.key !== undefined)
      return go(`${origin}/~${browser.key}${pathname}${search}`, { headers: init.headers });
    return { status: response.status, url: url.replace(/\/~[\w-]{22}(?=\/)/, ""), html, headers: response.headers };
  }
  return browser;
}

function keep(cookies: Map<string, string>, paths: Map<string, string>, line: string): void {
  const [pair, ...attributes] = line.split(/;\s*/);
  const at = pair!.indexOf("=");
  const [name, value] = [pair!.slice(0, at), pair!.slice(at + 1)];
  const over = attributes.some((attribute) => /^max-age=0$/i.test(attribute) || /1970/.test(attribute));
  const path = attributes.find((attribute) => /^path=/i.test(attribute))?.slice("path=".length) ?? "/";
  paths.set(name, path);
  if (over || value === "") cookies.delete(name);
  else cookies.set(name, value);
}

/** Returns the form on the page that has a field with this name. */
export function formWith({ html, url }: Page, field: string): Form {
  const forms = [...html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)];
  const found = forms.find(([, , body]) => new RegExp(`name="${field}"`).test(body!));
  expect(found, `a form with ${field} in:\n${html.slice(0, 3000)}`).toBeDefined();
  const [, attributes, body] = found!;
  const fields = [...body!.matchAll(/<input\b([^>]*)>/g)].flatMap(([, input]): [string, string][] => {
    const name = attribute(input!, "name");
    const type = attribute(input!, "type");
    if (name === undefined || /\sdisabled/.test(input!)) return [];
    if ((type === "checkbox" || type === "radio") && !/\schecked/.test(input!)) return [];
    return [[name, attribute(input!, "value") ?? "on"]];
  });
  return { action: new URL(attribute(attributes!, "action") ?? url, url).href, fields };
}

function attribute(tag: string, name: string): string | undefined {
  const found = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
  return found
    ?.replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&amp;/g, "&");
}

/** Returns the values of all checkboxes with this name on a page, ticked or not. */
export function boxes({ html }: Page, name: string): string[] {
  return [...html.matchAll(/<input\b([^>]*)>/g)].flatMap(([, input]) =>
    attribute(input!, "name") === name ? [attribute(input!, "value") ?? "on"] : [],
  );
}

export async function setUp(browser: OwnerBrowser, setupLink: string): Promise<Page> {
  const form = formWith(await browser.get(setupLink), "password");
  return browser.post(form.action, [
    ...form.fields.filter(([name]) => name !== "name" && name !== "password"),
    ["name", OWNER.name],
    ["password", OWNER.password],
  ]);
}

export async function logIn(browser: OwnerBrowser, page: Page): Promise<Page> {
  const form = formWith(page, "password");
  return browser.post(form.action, [
    ...form.fields.filter(([name]) => name !== "name" && name !== "password"),
    ["name", OWNER.name],
    ["password", OWNER.password],
  ]);
}
