// A DAV server in memory that responds like Radicale 3.1, for the parts of the RFCs that the connectors use. It can
// also do things that Radicale cannot: forget tokens, truncate lists, and refuse reports. Tests that run on both
// servers check that they behave alike.
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { DavAccount } from "./account.fixture.ts";
import { accountAt } from "./account.fixture.ts";
import { childNamed, dav, parseXml, type XmlNode } from "./multistatus.ts";

const CALDAV = "urn:ietf:params:xml:ns:caldav";
const CARDDAV = "urn:ietf:params:xml:ns:carddav";
const CS = "http://calendarserver.org/ns/";

interface StoredItem {
  text: string;
  etag: string;
  /** The number of the change that wrote the item. */
  at: number;
}

interface StoredCollection {
  name: string;
  type: "calendar" | "addressbook";
  items: Map<string, StoredItem>;
  /** Maps an item's name to the number of the change that deleted it. */
  deleted: Map<string, number>;
  changes: number;
}

export interface DavServerOptions {
  /** True by default, like the next two. */
  sync?: boolean;
  ctag?: boolean;
  multiget?: boolean;
  /** The maximum number of items per change report. */
  reportMax?: number;
  /** Sent instead of a Basic challenge. */
  challenge?: string;
  /** Where the well-known address redirects to. */
  wellKnown?: string;
}

export interface DavServer extends DavAccount {
  options: DavServerOptions;
  /** Makes the server refuse older tokens from now on. */
  forgetTokens(): void;
  /** Every request as "METHOD path". */
  seen: string[];
  close(): Promise<void>;
}

const USER = "anna";
export const PASSWORD = "app-password-of-anna";

export async function startDavServer(options: DavServerOptions = {}): Promise<DavServer> {
  const collections = new Map<string, StoredCollection>();
  const seen: string[] = [];
  let oldest = 0;
  const server = createServer((request, response) => {
    void answer(request, response).catch((error: Error) => response.writeHead(500).end(error.message));
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = decodeURIComponent(new URL(request.url!, url).pathname);
    seen.push(`${request.method} ${path}`);
    if (path.startsWith("/.well-known/"))
      return void response.writeHead(301, { Location: options.wellKnown ?? "/" }).end();
    const expected = `Basic ${Buffer.from(`${USER}:${PASSWORD}`).toString("base64")}`;
    if (request.headers.authorization !== expected)
      return void response.writeHead(401, { "WWW-Authenticate": options.challenge ?? 'Basic realm="Test"' }).end();
    const body = await bodyOf(request);
    const [, user, folder, item] = path.split("/");
    const collection = folder ? collections.get(folder) : undefined;
    switch (request.method) {
      case "MKCOL":
        collections.set(folder!, newCollection(parseXml(body)));
        return void response.writeHead(201).end();
      case "PUT":
        writeItem(collection!, item!, body);
        return void response.writeHead(201).end();
      case "GET":
        return void response
          .writeHead(collection?.items.has(item!) ? 200 : 404)
          .end(collection?.items.get(item!)?.text);
      case "DELETE":
        if (!item) collections.delete(folder!);
        else removeItem(collection!, item);
        return void response.writeHead(200).end();
      case "PROPFIND":
        if (folder && collection === undefined) return void response.writeHead(404).end();
        return multistatus(response, found(user!, folder!, collection, request.headers.depth === "1"));
      case "REPORT":
        return report(response, parseXml(body), folder!, collection!);
    }
    response.writeHead(405).end();
  }

  function found(user: string, folder: string, collection: StoredCollection | undefined, deep: boolean): string {
    if (collection !== undefined) {
      const items = deep ? [...collection.items].map(([name, { etag }]) => itemXml(folder, name, etag)) : [];
      return [collectionXml(folder, collection), ...items].join("");
    }
    const root = responseXml(
      user ? `/${USER}/` : "/",
      `<resourcetype><collection/></resourcetype><current-user-principal><href>/${USER}/</href></current-user-principal>${user ? `<C:calendar-home-set><href>/${USER}/</href></C:calendar-home-set><CR:addressbook-home-set><href>/${USER}/</href></CR:addressbook-home-set>` : ""}`,
    );
    const own = deep && user ? [...collections].map(([name, one]) => collectionXml(name, one)) : [];
    return [root, ...own].join("");
  }

  function collectionXml(folder: string, { name, type, changes }: StoredCollection): string {
    const kind = type === "calendar" ? "C:calendar" : "CR:addressbook";
    const reports =
      options.sync === false ? "" : "<supported-report><report><sync-collection/></report></supported-report>";
    return responseXml(
      `/${USER}/${folder}/`,
      `<resourcetype><${kind}/><collection/></resourcetype><displayname>${escaped(name)}</displayname>${options.ctag === false ? "" : `<CS:getctag>"${changes}"</CS:getctag>`}${options.sync === false ? "" : `<sync-token>${tokenAt(changes)}</sync-token>`}<supported-report-set>${reports}</supported-report-set>`,
    );
  }

  function report(response: ServerResponse, body: XmlNode, folder: string, collection: StoredCollection): void {
    if (body.name !== dav("sync-collection")) {
      if (options.multiget === false) {
        response.writeHead(501).end();
        return;
      }
      const hrefs = body.children
        .filter(({ name }) => name === dav("href"))
        .map(({ text }) => decodeURIComponent(text));
      const data = collection.type === "calendar" ? "C:calendar-data" : "CR:address-data";
      multistatus(
        response,
        hrefs
          .map((href) => {
            const name = href.split("/").at(-1)!;
            const item = collection.items.get(name);
            return item === undefined
              ? `<response><href>${escaped(href)}</href><status>HTTP/1.1 404 Not Found</status></response>`
              : itemXml(folder, name, item.etag, `<${data}>${escaped(item.text)}</${data}>`);
          })
          .join(""),
      );
      return;
    }
    const since = Number(/\/(\d+)$/.exec(childNamed(body, dav("sync-token"))?.text ?? "")?.[1] ?? -1);
    if (options.sync === false || since < oldest) {
      response.writeHead(403, { "Content-Type": "text/xml" });
      response.end(`<?xml version="1.0"?><error xmlns="DAV:"><valid-sync-token/></error>`);
      return;
    }
    const changed = [
      ...[...collection.items].map(([name, { etag, at }]) => ({ at, xml: itemXml(folder, name, etag) })),
      ...[...collection.deleted].map(([name, at]) => ({
        at,
        xml: `<response><href>/${USER}/${folder}/${encodeURIComponent(name)}</href><status>HTTP/1.1 404 Not Found</status></response>`,
      })),
    ]
      .filter(({ at }) => at > since)
      .sort((one, other) => one.at - other.at);
    const part = changed.slice(0, options.reportMax ?? changed.length);
    const cut = part.length < changed.length;
    const token = tokenAt(cut ? part.at(-1)!.at : collection.changes);
    const more = cut
      ? `<response><href>/${USER}/${folder}/</href><status>HTTP/1.1 507 Insufficient Storage</status></response>`
      : "";
    multistatus(response, `${part.map(({ xml }) => xml).join("")}${more}<sync-token>${token}</sync-token>`);
  }

  return {
    ...accountAt(url, USER, PASSWORD),
    options,
    seen,
    forgetTokens() {
      oldest = Math.max(0, ...[...collections.values()].map(({ changes }) => changes)) + 1;
      for (const one of collections.values()) one.changes = oldest;
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

function newCollection(body: XmlNode): StoredCollection {
  const properties = childNamed(childNamed(body, dav("set")), dav("prop"));
  const isCalendar = childNamed(childNamed(properties, dav("resourcetype")), `{${CALDAV}}calendar`) !== undefined;
  return {
    name: childNamed(properties, dav("displayname"))?.text ?? "",
    type: isCalendar ? "calendar" : "addressbook",
    items: new Map(),
    deleted: new Map(),
    changes: 0,
  };
}

function writeItem(collection: StoredCollection, name: string, text: string): void {
  const etag = `"${createHash("sha256").update(text).digest("hex")}"`;
  collection.items.set(name, { text, etag, at: ++collection.changes });
  collection.deleted.delete(name);
}

function removeItem(collection: StoredCollection, name: string): void {
  collection.items.delete(name);
  collection.deleted.set(name, ++collection.changes);
}

const tokenAt = (change: number): string => `http://example.org/sync/${change}`;

const itemXml = (folder: string, name: string, etag: string, more = ""): string =>
  responseXml(`/${USER}/${folder}/${encodeURIComponent(name)}`, `<getetag>${etag}</getetag><resourcetype/>${more}`);

const responseXml = (href: string, properties: string): string =>
  `<response><href>${href}</href><propstat><prop>${properties}</prop><status>HTTP/1.1 200 OK</status></propstat></response>`;

function multistatus(response: ServerResponse, content: string): void {
  response.writeHead(207, { "Content-Type": "text/xml; charset=utf-8" });
  response.end(
    `<?xml version='1.0' encoding='utf-8'?>\n<multistatus xmlns="DAV:" xmlns:C="${CALDAV}" xmlns:CR="${CARDDAV}" xmlns:CS="${CS}">${content}</multistatus>`,
  );
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}

const escaped = (text: string): string => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");
