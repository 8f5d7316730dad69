// The setup for every OAuth test: a server with an owner and a library, apps that register and request access, and the
// owner's decisions.
import * as oauth from "oauth4webapi";
import { expect } from "vitest";
import { DATA_ACCESS_TYPE } from "../../src/contract/data-access.ts";
import { newSetupLink } from "../../src/surfaces/web/sign-in.ts";
import { type Loose, type TestServer, type TestServerOptions, testServer } from "../harness.ts";
import { AUTHORS, BOOKS, book, LOANS, library, sourceLike } from "../library.ts";
import { boxes, formWith, type OwnerBrowser, ownerBrowser, type Page, setUp } from "./owner-browser.ts";

export const REDIRECT = "http://127.0.0.1:9999/cb";
export const HTTP = { [oauth.allowInsecureRequests]: true } as const;

export interface World {
  server: TestServer;
  url: string;
  browser: OwnerBrowser;
  as: oauth.AuthorizationServer;
  /** The ids of three connections: two of the source `library` and one of the source `archive`. */
  town: string;
  cabin: string;
  archive: string;
  close(): Promise<void>;
}

export async function world(options: TestServerOptions = {}): Promise<World> {
  const server = await testServer(options);
  await server.register("library", library);
  await server.register("archive", sourceLike("archive"));
  const town = await server.connect("library", "Town library");
  const cabin = await server.connect("library", "Cabin shelf");
  const archive = await server.connect("archive", "Old archive");
  await server.ingest("books", town, BOOKS);
  await server.ingest("authors", town, AUTHORS);
  await server.ingest("loans", town, LOANS);
  await server.ingest("books", cabin, [book("c01", { title: "Heron diary" })]);
  await server.ingest("books", archive, [book("x01", { title: "Deed" })]);
  const browser = ownerBrowser(server.url);
  await setUp(browser, await newSetupLink(server.host, server.url));
  return {
    server,
    url: server.url,
    browser,
    as: await discover(server.url),
    town,
    cabin,
    archive,
    close: server.close,
  };
}

export async function discover(url: string): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(url);
  return oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...HTTP }));
}

/** Registers an app. A server allows 20 registrations a minute. */
export async function register(
  { as }: Pick<World, "as">,
  metadata: Partial<oauth.OmitSymbolProperties<oauth.Client>> = {},
): Promise<oauth.Client> {
  return oauth.processDynamicClientRegistrationResponse(
    await oauth.dynamicClientRegistrationRequest(
      as,
      { client_name: "Reader", redirect_uris: [REDIRECT], token_endpoint_auth_method: "none", ...metadata },
      HTTP,
    ),
  );
}

export interface Asked {
  client: oauth.Client;
  verifier: string;
  state: string;
  redirect: string;
  href: string;
}

/** Builds an authorization request as an app does. Undefined parameters are omitted. */
export async function ask(
  { as }: Pick<World, "as">,
  client: oauth.Client,
  parameters: Record<string, string | undefined> = {},
): Promise<Asked> {
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const all = {
    client_id: client.client_id,
    redirect_uri: REDIRECT,
    response_type: "code",
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    state,
    ...parameters,
  };
  const href = new URL(as.authorization_endpoint!);
  for (const [name, value] of Object.entries(all)) if (value !== undefined) href.searchParams.set(name, value);
  return { client, verifier, state, redirect: parameters.redirect_uri ?? REDIRECT, href: href.href };
}

/** An authorization detail for the source `library`. */
export const detail = (streams: object[] | undefined, more: object = {}): object => ({
  type: DATA_ACCESS_TYPE,
  source: library.source,
  purpose_code: "https://pdpp.dev/purpose/assistant",
  access_mode: "continuous",
  ...(streams === undefined ? {} : { streams }),
  ...more,
});

export const asDetails = (...details: object[]): { authorization_details: string } => ({
  authorization_details: JSON.stringify(details),
});

/** Returns the page that the owner sees when an app requests access. */
export const consentPage = async (
  world: Pick<World, "as" | "browser">,
  client: oauth.Client,
  parameters: Record<string, string | undefined> = {},
): Promise<Page> => world.browser.get((await ask(world, client, parameters)).href);

export interface Choice {
  /** Keys on the page, as `connection/stream`. Defaults to those that the page ticks. */
  streams?: readonly string[];
  /** Defaults to all offered fields. */
  fields?: readonly string[];
  duration?: string;
  decision?: "allow" | "deny";
  /** Replaces values that the page would submit. undefined omits a field. */
  change?: Record<string, string | undefined>;
  /** For the files lens: powers to use instead of those that the page ticks. */
  may?: readonly string[];
}

/** Fills in the consent form and submits it. */
export async function answer(browser: OwnerBrowser, page: Page, choice: Choice = {}): Promise<Page> {
  const form = formWith(page, "digest");
  const { streams = ticked(page), fields, duration, decision = "allow", change = {}, may } = choice;
  const replaced = new Set([
    "stream",
    ...(duration === undefined ? [] : ["duration"]),
    ...(may === undefined ? [] : ["may"]),
    ...Object.keys(change),
  ]);
  const kept = form.fields.filter(([name]) => !replaced.has(name) && !name.startsWith("field:"));
  return browser.post(form.action, [
    ...kept,
    ...streams.flatMap((stream) => [
      ["stream", stream] as const,
      ...(fields ?? boxes(page, `field:${stream}`)).map((field) => [`field:${stream}`, field] as const),
    ]),
    ...(duration === undefined ? [] : [["duration", duration] as const]),
    ...(may ?? []).map((power) => ["may", power] as const),
    ...Object.entries(change).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
    ["decision", decision],
  ]);
}

/** Returns the streams that are ticked on a consent page. */
export const ticked = (page: Page): string[] =>
  formWith(page, "digest").fields.flatMap(([name, value]) => (name === "stream" ? [value] : []));

/** Follows the link from the receipt or denial back to the app. */
export async function back(browser: OwnerBrowser, page: Page): Promise<URL> {
  const href = /href="([^"]*\/oauth\/authorize\/[^"]*)"/.exec(page.html)?.[1];
  expect(href, page.html).toBeDefined();
  return new URL((await browser.get(href!)).url);
}

export interface Approved extends Asked {
  params: URLSearchParams;
}

/** The app requests access, the owner decides, and the app gets its code. */
export async function approved(
  { as, browser }: Pick<World, "as" | "browser">,
  client: oauth.Client,
  { parameters, ...choice }: Choice & { parameters?: Record<string, string | undefined> } = {},
): Promise<Approved> {
  const asked = await ask({ as }, client, parameters);
  const page = await browser.get(asked.href);
  expect(page.status, page.html || page.url).toBe(200);
  const streams = choice.streams ?? (ticked(page).length > 0 ? ticked(page) : boxes(page, "stream").slice(0, 1));
  const receipt = await answer(browser, page, { ...choice, streams });
  expect(receipt.status, receipt.html).toBe(200);
  return { ...asked, params: oauth.validateAuthResponse(as, client, await back(browser, receipt), asked.state) };
}

export const secretOf = (client: oauth.Client): oauth.ClientAuth =>
  client.client_secret === undefined ? oauth.None() : oauth.ClientSecretBasic(client.client_secret as string);

export async function exchange(
  { as }: Pick<World, "as">,
  { client, params, redirect, verifier }: Approved,
): Promise<Loose> {
  return oauth.processAuthorizationCodeResponse(
    as,
    client,
    await oauth.authorizationCodeGrantRequest(as, client, secretOf(client), params, redirect, verifier, HTTP),
  );
}

export async function refresh({ as }: Pick<World, "as">, client: oauth.Client, token: string): Promise<Loose> {
  return oauth.processRefreshTokenResponse(
    as,
    client,
    await oauth.refreshTokenGrantRequest(as, client, secretOf(client), token, HTTP),
  );
}

/** Returns an app with tokens. */
export async function connected(
  world: Pick<World, "as" | "browser">,
  choice: NonNullable<Parameters<typeof approved>[2]> & { client?: oauth.Client } = {},
): Promise<{ client: oauth.Client; tokens: Loose; approved: Approved }> {
  const { client = await register(world), ...rest } = choice;
  const done = await approved(world, client, rest);
  return { client, tokens: await exchange(world, done), approved: done };
}

/** Returns the streams of every granted detail. */
export const streamsOf = (tokens: Loose): Loose[] => tokens.authorization_details.flatMap((one: Loose) => one.streams);

export const grantCount = async ({ server }: Pick<World, "server">): Promise<number> =>
  (await server.all("/v1/grants")).length;

/** Posts a form and returns the response. */
export async function postForm(
  url: string,
  fields: Record<string, string> | [string, string][],
  headers: Record<string, string> = {},
): Promise<{ status: number; headers: Headers; body: Loose }> {
  const response = await fetch(url, { method: "POST", body: new URLSearchParams(fields), headers, redirect: "manual" });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === "" ? undefined : JSON.parse(text) };
}

/** Returns the `error` code of a refused OAuth call. */
export async function refusal(call: Promise<unknown>): Promise<string> {
  const failure = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  return (failure as { error?: string } | undefined)?.error ?? `no OAuth error: ${String(failure)}`;
}

/** Returns the status of a read with a token, and the error code if it is refused. */
export async function reads(server: TestServer, token: string, path = "/v1/schema"): Promise<[number, string?]> {
  const { status, body } = await server.get(path, { token });
  return body?.error?.code === undefined ? [status] : [status, body.error.code];
}
