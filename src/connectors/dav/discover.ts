// Finds the collections of the account from the address that the owner gave (RFC 6764), by way of the well-known
// address, the principal and the home set.
import { CollectFailure } from "../common/failure.ts";
import { isGone, isRefusal } from "./failure.ts";
import type { DavKind } from "./kind.ts";
import { childNamed, type DavResponse, dav, parseMultistatus } from "./multistatus.ts";
import type { DavClient } from "./request.ts";

export interface DavCollection {
  url: URL;
  name: string;
  /** Changes with every change in the collection. */
  ctag?: string;
  /** Lets the server report what changed since the token was issued. */
  syncToken?: string;
}

const CS = "http://calendarserver.org/ns/";

const propfind = (names: readonly string[]): string =>
  `<?xml version="1.0" encoding="utf-8"?><propfind xmlns="DAV:"><prop>${names
    .map((name) => {
      const [, uri, local] = /^\{(.*)\}(.*)$/.exec(name)!;
      return `<${local} xmlns="${uri}"/>`;
    })
    .join("")}</prop></propfind>`;

const COLLECTION = [
  dav("resourcetype"),
  dav("displayname"),
  `{${CS}}getctag`,
  dav("sync-token"),
  dav("supported-report-set"),
];

/** Returns every collection of the account, by name. If the account is empty, throws an error that says what to do. */
export async function discoverCollections(client: DavClient, given: URL, kind: DavKind): Promise<DavCollection[]> {
  const homes = await homesFrom(client, given, kind);
  const found: DavCollection[] = [];
  for (const home of homes) {
    const { url, text } = await client.request({
      method: "PROPFIND",
      url: home,
      depth: "1",
      body: propfind(COLLECTION),
    });
    for (const response of parseMultistatus(text).responses) {
      const own = collectionIn(response, url, kind);
      if (own !== undefined && !found.some((one) => one.url.href === own.url.href)) found.push(own);
    }
  }
  if (found.length === 0)
    throw new CollectFailure(
      `this account on ${given.host} has no ${kind.noun.one}. Nothing was changed. Check the address, or create one there first.`,
    );
  return named(found);
}

/** Returns true if a collection that is no longer listed was deleted. */
export async function isDeleted(client: DavClient, url: URL): Promise<boolean> {
  try {
    await client.request({ method: "PROPFIND", url, depth: "0", body: propfind([dav("resourcetype")]) });
    return false;
  } catch (error) {
    if (isGone(error)) return true;
    throw error;
  }
}

async function homesFrom(client: DavClient, given: URL, kind: DavKind): Promise<URL[]> {
  const wellKnown = new URL(`/.well-known/${kind.wellKnown}`, given);
  const starts = given.pathname === "/" ? [wellKnown, given] : [given, wellKnown];
  let refusal: unknown;
  for (const start of starts) {
    try {
      const homes = await homesAt(client, start, kind, 0);
      if (homes.length > 0) return homes;
    } catch (error) {
      if (!isRefusal(error) && !isNotDav(error)) throw error;
      refusal ??= error;
    }
  }
  if (refusal !== undefined && isRefusal(refusal)) throw refusal;
  throw new CollectFailure(
    `${given.host} responds, but not as a ${kind.wellKnown === "caldav" ? "CalDAV" : "CardDAV"} server: check the address, or ask your provider for it`,
  );
}

const isNotDav = (error: unknown): boolean => (error as Error).message.startsWith("the response is ");

/**
 * Returns the home sets that an address leads to. The address may be a collection, a home set, or a principal that has
 * one.
 */
async function homesAt(client: DavClient, start: URL, kind: DavKind, depth: number): Promise<URL[]> {
  const body = propfind([dav("resourcetype"), dav("current-user-principal"), kind.homeSet]);
  const { url, text } = await client.request({ method: "PROPFIND", url: start, depth: "0", body });
  const [own] = parseMultistatus(text).responses;
  if (own === undefined) return [];
  if (hasType(own, kind.collectionType)) return [url];
  const homes = hrefsIn(own, kind.homeSet, url);
  if (homes.length > 0) return homes;
  const [principal] = hrefsIn(own, dav("current-user-principal"), url);
  if (principal === undefined || principal.href === url.href || depth > 1) return [];
  return homesAt(client, principal, kind, depth + 1);
}

const hasType = ({ properties }: DavResponse, type: string): boolean =>
  childNamed(properties.get(dav("resourcetype")), type) !== undefined;

const hrefsIn = ({ properties }: DavResponse, name: string, base: URL): URL[] =>
  (properties.get(name)?.children ?? [])
    .filter((child) => child.name === dav("href"))
    .flatMap(({ text }) => URL.parse(text.trim(), base.href) ?? []);

function collectionIn(response: DavResponse, base: URL, kind: DavKind): DavCollection | undefined {
  const url = URL.parse(response.href, base.href);
  if (url === null || !hasType(response, kind.collectionType)) return undefined;
  const { properties } = response;
  const say = (name: string): string => properties.get(name)?.text.trim() ?? "";
  const reports = properties.get(dav("supported-report-set"))?.children ?? [];
  const canSync = reports.some((one) => childNamed(childNamed(one, dav("report")), dav("sync-collection")));
  const ctag = say(`{${CS}}getctag`);
  const token = say(dav("sync-token"));
  return {
    url,
    name: say(dav("displayname")).slice(0, 200).toWellFormed(),
    ...(ctag === "" ? {} : { ctag }),
    ...(token === "" || !canSync ? {} : { syncToken: token }),
  };
}

/** Names are part of ids, so two collections with the same name are told apart by the last part of their addresses. */
function named(collections: readonly DavCollection[]): DavCollection[] {
  const byAddress = collections.toSorted((one, other) => (one.url.href < other.url.href ? -1 : 1));
  const taken = new Set<string>();
  return byAddress.map((one) => {
    const part = decoded(one.url.pathname.split("/").findLast((piece) => piece !== "") ?? "");
    const plain = one.name === "" ? part : one.name;
    const name = taken.has(plain) ? `${plain} (${part})` : plain;
    taken.add(name);
    return { ...one, name };
  });
}

export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
