// The identity of an app, as far as one authorization flow proves it: a verified host, or only the app's own claim (SECURITY row 7).
import { cleanDisplayName } from "../core/display-name.ts";
import type { DocumentCopy } from "./client-documents.ts";

interface FlowClient {
  client_id: string;
  client_name?: string;
  /** The address that this flow redirects to. Absent in the device flow: the device that started it collects the answer. */
  redirect_uri?: string;
  /** Its document was not fetched, so nothing in it came from its host during this flow. */
  copy?: DocumentCopy;
}

export interface ClientIdentity {
  /** The host of the app's metadata document, when the answer goes to an https address that this document names. */
  verifiedHost?: string;
  /** The host of the metadata document that the app presents, when nothing in this flow proves that it belongs to it. */
  claimedHost?: string;
  /** The app's own name for itself, cleaned for display; empty when it gives no name. Never shown as a fact. */
  claimedName: string;
  /** The source of the host and the redirect addresses, when the host could not be reached. */
  copy?: DocumentCopy;
  /** Where the answer is sent: a host, or `scheme:` with its host for an app on the owner's device. */
  redirectHost?: string;
}

/**
 * An https `client_id` is the address of a document that this server fetched. Anybody can name that address; only an answer
 * sent to a web address that the document lists reaches the app itself. A program on this computer or the device flow proves
 * nothing, and neither does a copy of the document. Every other id was given out here, to any app that asked.
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

/** The host of the metadata document that an id names, if it names one. */
export function documentHost(clientId: string): string | undefined {
  return clientId.startsWith("https://") ? URL.parse(clientId)?.host : undefined;
}

const LOOPBACK = /^(?:localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])\.?$/;

export const isLoopbackHost = (host: string): boolean => LOOPBACK.test(host.replace(/:\d+$/, ""));

function isWebAddress(uri: string): boolean {
  const { protocol, hostname } = new URL(uri);
  return protocol === "https:" && !isLoopbackHost(hostname);
}

/** The parser writes hosts in ASCII: a look-alike letter appears as xn--…. Loopback ports change with every start. */
function redirectHostOf(uri: string): string {
  const { protocol, host, hostname } = new URL(uri);
  if (protocol === "https:") return host;
  if (protocol === "http:") return hostname;
  return host === "" ? protocol : `${protocol}//${host}`;
}
