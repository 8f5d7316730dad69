// An app's identity, as far as one authorization flow proves it: a verified host, or only the app's own claim (SECURITY
// row 7).
import { cleanDisplayName } from "../core/display-name.ts";
import type { DocumentCopy } from "./client-documents.ts";

interface FlowClient {
  client_id: string;
  client_name?: string;
  /**
   * The address that this flow redirects to. Absent in the device flow, where the device that started it collects the
   * response.
   */
  redirect_uri?: string;
  /**
   * Set if a copy was used instead of the fetched document. The document's host then confirmed nothing in this flow.
   */
  copy?: DocumentCopy;
}

export interface ClientIdentity {
  /** The host of the app's metadata document, if the response is sent to an https address that the document lists. */
  verifiedHost?: string;
  /**
   * The host of the metadata document that the app presents, if nothing in this flow proves that the document is the
   * app's own.
   */
  claimedHost?: string;
  /** The app's own name for itself, cleaned for display, or empty if it has none. Never shown as a fact. */
  claimedName: string;
  /** The copy that the host and the redirect addresses come from, if the host could not be reached. */
  copy?: DocumentCopy;
  /** Where the response is sent: a host, or `scheme:` with its host for an app on the owner's device. */
  redirectHost?: string;
}

/**
 * An https `client_id` is the address of a document that this server fetched. Anybody can present that address, but
 * only a response sent to a web address listed in the document reaches the app itself. A program on this computer
 * proves nothing, and neither does the device flow or a copy of the document. Every other id was issued here, to any
 * app that requested one.
 */
export function clientIdentity({ client_id, client_name = "", redirect_uri, copy }: FlowClient): ClientIdentity {
  const host = documentHost(client_id);
  const verified = copy === undefined && redirect_uri !== undefined && isWebAddress(redirect_uri);
  return {
    ...(host === undefined ? {} : verified ? { verifiedHost: host } : { claimedHost: host }),
    claimedName: cleanDisplayName(client_name),
    ...(copy === undefined ? {} : { copy }),
    ...(redirect_uri === undefined ? {} : { redirectHost: redirectHostOf(redirect_uri) }),
  };
}

/** The host of the metadata document, if the client id is the address of one. */
export function documentHost(clientId: string): string | undefined {
  return clientId.startsWith("https://") ? URL.parse(clientId)?.host : undefined;
}

const LOOPBACK = /^(?:localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])\.?$/;

export const isLoopbackHost = (host: string): boolean => LOOPBACK.test(host.replace(/:\d+$/, ""));

function isWebAddress(uri: string): boolean {
  const { protocol, hostname } = new URL(uri);
  return protocol === "https:" && !isLoopbackHost(hostname);
}

/**
 * The URL parser converts hosts to ASCII, so a look-alike letter appears as xn--…. Loopback ports are omitted because
 * an app may use a different one at every start.
 */
function redirectHostOf(uri: string): string {
  const { protocol, host, hostname } = new URL(uri);
  if (protocol === "https:") return host;
  if (protocol === "http:") return hostname;
  return host === "" ? protocol : `${protocol}//${host}`;
}
