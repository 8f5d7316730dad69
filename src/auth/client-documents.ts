// Fetches client metadata documents. If an address cannot be reached, uses the stored copy for an approved or known app
// (C-02).
import type { EngineHost } from "../engine/host.ts";
import { itemHash } from "./adapter.ts";
import type { GuardedFetch } from "./guarded-fetch.ts";
import { KNOWN_DOCUMENTS } from "./known-documents.ts";

/** Stored in the home for each app that the owner approved on the basis of the app's own document. */
const KIND = "ClientDocument";
/** How long a copy is used before the original address is tried again. */
const COPY_SECONDS = 60;
/**
 * Statuses that mean the site is down or refuses this server. Any other response is authoritative, and no copy
 * overrides it.
 */
const UNAVAILABLE_STATUSES = [403, 429, 500, 502, 503, 504];

/** The last known description of an app whose address could not be reached. */
export interface DocumentCopy {
  /** When this server fetched the document, in milliseconds. Absent if the copy ships with this version. */
  readAt?: number;
}

interface KeptDocument {
  document: { client_id: string };
  readAt: number;
}

export interface ClientDocuments {
  fetch: GuardedFetch;
  /** Returns the copy that is in use for this app, if there is one. */
  copyFor(clientId: string): DocumentCopy | undefined;
  /**
   * Called when the owner approves an app whose document was just fetched, because the network may be down at the app's
   * next refresh.
   */
  keep(document: { client_id: string }): Promise<void>;
}

export function clientDocuments(host: EngineHost, fetch: GuardedFetch): ClientDocuments {
  /** Contains only known or approved apps, so it stays small. */
  const copies = new Map<string, DocumentCopy>();
  const reference = (id: string) => ({ kind: KIND, hash: itemHash(KIND, id) });
  const kept = async (id: string): Promise<KeptDocument | undefined> => {
    const item = await host.call("authItem", reference(id), { home: true });
    return item === null ? undefined : (JSON.parse(item.body) as KeptDocument);
  };
  const put = async (document: KeptDocument["document"]): Promise<void> => {
    const body = JSON.stringify({ document, readAt: Date.now() } satisfies KeptDocument);
    const none = { grantId: null, uid: null, userCode: null, expiresAt: null };
    await host.call("putAuthItem", { ...reference(document.client_id), body, ...none }, { home: true });
  };

  async function copyOr<T>(id: string, otherwise: () => T): Promise<Response | T> {
    const earlier = await kept(id);
    const known = KNOWN_DOCUMENTS[id];
    const document =
      earlier?.document ?? (known && { client_id: id, ...known, token_endpoint_auth_method: "none" as const });
    if (document === undefined) return otherwise();
    copies.set(id, earlier === undefined ? {} : { readAt: earlier.readAt });
    return Response.json(document, { headers: { "cache-control": `max-age=${COPY_SECONDS}` } });
  }

  return {
    async fetch(input, init) {
      const id = input instanceof Request ? input.url : String(input);
      let response: Response;
      try {
        response = await fetch(input, init);
      } catch (cause) {
        return copyOr(id, () => {
          throw cause;
        });
      }
      if (UNAVAILABLE_STATUSES.includes(response.status)) return copyOr(id, () => response);
      copies.delete(id);
      if (response.status !== 200) return response;
      const text = await response.text();
      const document = parsed(text);
      if (document?.client_id === id && (await kept(id)) !== undefined) await put(document as KeptDocument["document"]);
      return new Response(text, { headers: response.headers });
    },
    copyFor: (clientId) => copies.get(clientId),
    async keep(document) {
      if (!copies.has(document.client_id)) await put(document);
    },
  };
}

/** Only parses the JSON. The provider decides whether the document is valid. */
function parsed(text: string): { client_id?: unknown } | undefined {
  try {
    return JSON.parse(text) ?? undefined;
  } catch {
    return undefined;
  }
}
