// Who an app is, as far as it can be known: a host that vouches for it, the name it claims, where its answer goes (SECURITY row 7).
import { cleanDisplayName } from "../core/display-name.ts";

interface ClientMetadata {
  client_id: string;
  client_name?: string;
  redirect_uris?: readonly string[];
}

export interface ClientIdentity {
  /** The host that served the app's metadata document. Absent when nobody vouches for the app. */
  verifiedHost?: string;
  /** What the app calls itself, cleaned for display; empty when it does not say. Never to be shown as a fact. */
  claimedName: string;
  /** Where approvals are sent: a host, or `scheme:` with its host for an app on the owner's device. */
  redirectHosts: string[];
  unverified: boolean;
}

/**
 * An https `client_id` is the address of a document that this server fetched from that host. Every other id was given out
 * here, to whoever asked.
 */
export function clientIdentity({ client_id, client_name = "", redirect_uris = [] }: ClientMetadata): ClientIdentity {
  const url = client_id.startsWith("https://") ? URL.parse(client_id) : null;
  return {
    ...(url === null ? {} : { verifiedHost: url.host }),
    claimedName: cleanDisplayName(client_name),
    redirectHosts: [...new Set(redirect_uris.map(redirectHost))],
    unverified: url === null,
  };
}

/** The parser writes hosts in ASCII: a look-alike letter shows as xn--…. Loopback ports change with every start. */
function redirectHost(uri: string): string {
  const { protocol, host, hostname } = new URL(uri);
  if (protocol === "https:") return host;
  if (protocol === "http:") return hostname;
  return host === "" ? protocol : `${protocol}//${host}`;
}
