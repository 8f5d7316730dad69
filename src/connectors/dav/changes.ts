// Finds the changes in one collection since the cursor: by its sync-token (RFC 6578), or else by comparing the etags of
// all items.
import type { DavCollection } from "./discover.ts";
import { decoded } from "./discover.ts";
import { DavError, isRefusal } from "./failure.ts";
import type { DavKind } from "./kind.ts";
import type { KnownCollection } from "./ledger.ts";
import { BATCH_ITEMS, ROUNDS_MAX } from "./limits.ts";
import { childNamed, type DavResponse, dav, parseMultistatus } from "./multistatus.ts";
import type { DavClient } from "./request.ts";

interface CollectionChanges {
  /** New or changed items by path, with their etags. */
  changed: Map<string, string>;
  gone: Set<string>;
  /** To be used in the next request. */
  syncToken?: string;
}

/** With `all`, every item counts as changed. */
export async function changesIn(
  client: DavClient,
  collection: DavCollection,
  known: KnownCollection | undefined,
  all: boolean,
): Promise<CollectionChanges> {
  if (known === undefined || all) return listed(client, collection, known, all);
  if (isUnchanged(collection, known)) return { changed: new Map(), gone: new Set(), ...tokenOf(known.syncToken) };
  if (known.syncToken !== undefined && collection.syncToken !== undefined) {
    try {
      return await reported(client, collection, known.syncToken);
    } catch (error) {
      // The server no longer accepts the token, or does not support reports after all, so compare everything.
      if (!isRefusal(error)) throw error;
    }
  }
  return listed(client, collection, known, false);
}

const isUnchanged = ({ ctag, syncToken }: DavCollection, known: KnownCollection): boolean =>
  ctag !== undefined ? ctag === known.ctag : syncToken !== undefined && syncToken === known.syncToken;

const tokenOf = (syncToken: string | undefined): { syncToken?: string } =>
  syncToken === undefined ? {} : { syncToken };

const LIST = `<?xml version="1.0" encoding="utf-8"?><propfind xmlns="DAV:"><prop><getetag/><resourcetype/></prop></propfind>`;

/** The token was read before the list, so a change in between is reported again next time. */
async function listed(
  client: DavClient,
  { url: collectionUrl, syncToken }: DavCollection,
  known: KnownCollection | undefined,
  all: boolean,
): Promise<CollectionChanges> {
  const { url, text } = await client.request({ method: "PROPFIND", url: collectionUrl, depth: "1", body: LIST });
  const changed = new Map<string, string>();
  const gone = new Set(known?.items.keys());
  for (const response of parseMultistatus(text).responses) {
    const href = itemAddress(response, url);
    if (href === undefined || isCollection(response)) continue;
    gone.delete(href);
    const etag = etagOf(response);
    if (all || etag === "" || known?.items.get(href)?.etag !== etag) changed.set(href, etag);
  }
  return { changed, gone, ...tokenOf(syncToken) };
}

async function reported(client: DavClient, { url }: DavCollection, token: string): Promise<CollectionChanges> {
  const changed = new Map<string, string>();
  const gone = new Set<string>();
  let since = token;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const body = `<?xml version="1.0" encoding="utf-8"?><sync-collection xmlns="DAV:"><sync-token>${escaped(since)}</sync-token><sync-level>1</sync-level><prop><getetag/></prop></sync-collection>`;
    const answer = await client.request({ method: "REPORT", url, body });
    const { responses, syncToken } = parseMultistatus(answer.text);
    if (syncToken === undefined) throw new DavError(url, 409);
    let hasMore = false;
    for (const response of responses) {
      const href = itemAddress(response, answer.url);
      // RFC 6578, 3.6: a 507 for the collection itself means that the list was truncated.
      if (href === undefined) hasMore ||= response.status === 507;
      else if (response.status === 404 || response.status === 410) {
        gone.add(href);
        changed.delete(href);
      } else if (!isCollection(response)) {
        changed.set(href, etagOf(response));
        gone.delete(href);
      }
    }
    if (!hasMore || syncToken === since) return { changed, gone, syncToken };
    since = syncToken;
  }
  throw new DavError(url, 507);
}

/** Returns the normalised path of an item, or undefined for the collection itself or anything on another server. */
function itemAddress({ href }: DavResponse, collection: URL): string | undefined {
  const url = URL.parse(href, collection.href);
  if (url === null || url.origin !== collection.origin) return undefined;
  // Servers escape the same path in different ways.
  const path = decoded(url.pathname);
  return path.replace(/\/$/, "") === decoded(collection.pathname).replace(/\/$/, "") ? undefined : path;
}

const etagOf = ({ properties }: DavResponse): string => properties.get(dav("getetag"))?.text.trim() ?? "";
const isCollection = ({ properties }: DavResponse): boolean =>
  childNamed(properties.get(dav("resourcetype")), dav("collection")) !== undefined;

export interface FetchedItem {
  href: string;
  etag: string;
  text: string;
}

/**
 * Fetches items in batches. Items without a response were deleted in the meantime; `refused` items exist but are not
 * returned.
 */
export async function* fetchItems(
  client: DavClient,
  { url }: DavCollection,
  changed: ReadonlyMap<string, string>,
  kind: DavKind,
): AsyncGenerator<{ items: FetchedItem[]; gone: string[]; refused: string[] }> {
  const hrefs = [...changed.keys()];
  let byReport = true;
  for (let from = 0; from < hrefs.length; from += BATCH_ITEMS) {
    const batch = hrefs.slice(from, from + BATCH_ITEMS);
    if (byReport) {
      try {
        yield await together(client, url, batch, kind);
        continue;
      } catch (error) {
        if (!isRefusal(error)) throw error;
        byReport = false;
      }
    }
    yield await oneByOne(client, url, batch, changed);
  }
}

async function together(client: DavClient, url: URL, hrefs: readonly string[], kind: DavKind) {
  const [, uri, report] = /^\{(.*)\}(.*)$/.exec(kind.multiget)!;
  const data = kind.data.slice(kind.data.indexOf("}") + 1);
  const body = `<?xml version="1.0" encoding="utf-8"?><C:${report} xmlns="DAV:" xmlns:C="${uri}"><prop><getetag/><C:${data}/></prop>${hrefs.map((href) => `<href>${escaped(encodeURI(href))}</href>`).join("")}</C:${report}>`;
  const answer = await client.request({ method: "REPORT", url, depth: "1", body });
  const left = new Set(hrefs);
  const items: FetchedItem[] = [];
  const refused: string[] = [];
  for (const response of parseMultistatus(answer.text).responses) {
    const href = itemAddress(response, answer.url);
    if (href === undefined || !left.has(href)) continue;
    const text = response.properties.get(kind.data)?.text;
    if (text !== undefined) items.push({ href, etag: etagOf(response), text });
    else if (response.status !== 404 && response.status !== 410) refused.push(href);
    else continue;
    left.delete(href);
  }
  return { items, gone: [...left], refused };
}

async function oneByOne(client: DavClient, url: URL, hrefs: readonly string[], changed: ReadonlyMap<string, string>) {
  const items: FetchedItem[] = [];
  const gone: string[] = [];
  const refused: string[] = [];
  for (const href of hrefs) {
    try {
      const { text } = await client.request({ method: "GET", url: new URL(encodeURI(href), url) });
      items.push({ href, etag: changed.get(href) ?? "", text });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const { status } = error as DavError;
      (status === 404 || status === 410 ? gone : refused).push(href);
    }
  }
  return { items, gone, refused };
}

const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
const escaped = (text: string): string => text.replace(/[&<>]/g, (sign) => ESCAPES[sign]!);
