// An account on a DAV server, filled over HTTP as a phone would: collections, items, deletions.

export interface DavAccount {
  url: string;
  user: string;
  password: string;
  /** `folder` is the last part of the collection's URL, and `name` is its display name. */
  makeCollection(kind: "calendar" | "addressbook", folder: string, name: string): Promise<void>;
  put(folder: string, item: string, text: string): Promise<void>;
  /** Without an item, removes the whole collection. */
  remove(folder: string, item?: string): Promise<void>;
  /** Returns the whole collection as the server exports it. */
  exported(folder: string): Promise<string>;
}

const NAMESPACES = { calendar: "urn:ietf:params:xml:ns:caldav", addressbook: "urn:ietf:params:xml:ns:carddav" };
const TYPES = { calendar: "text/calendar; charset=utf-8", addressbook: "text/vcard; charset=utf-8" };

export function accountAt(url: string, user: string, password: string): DavAccount {
  const kinds = new Map<string, keyof typeof TYPES>();
  const send = async (method: string, path: string, body?: string, type?: string): Promise<string> => {
    const answer = await fetch(`${url}/${user}/${path}`, {
      method,
      headers: {
        Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`,
        ...(type === undefined ? {} : { "Content-Type": type }),
      },
      ...(body === undefined ? {} : { body }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.text();
  };
  return {
    url,
    user,
    password,
    async makeCollection(kind, folder, name) {
      kinds.set(folder, kind);
      await send(
        "MKCOL",
        `${folder}/`,
        `<?xml version="1.0"?><mkcol xmlns="DAV:" xmlns:C="${NAMESPACES[kind]}"><set><prop><resourcetype><collection/><C:${kind}/></resourcetype><displayname>${name}</displayname></prop></set></mkcol>`,
        "application/xml",
      );
    },
    async put(folder, item, text) {
      await send("PUT", `${folder}/${encodeURIComponent(item)}`, text, TYPES[kinds.get(folder)!]);
    },
    async remove(folder, item) {
      await send("DELETE", item === undefined ? `${folder}/` : `${folder}/${encodeURIComponent(item)}`);
    },
    exported: (folder) => send("GET", `${folder}/`),
  };
}
