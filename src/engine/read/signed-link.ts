// Signs the URL of a download for the caller's grant, and finds the grant of an opened link (K-08).
import { PdppError } from "../../contract/errors.ts";
import { LINK } from "../../contract/limits.ts";
import { type LinkRequest, linkAddress, type OpenedLink, SIGNED } from "../../contract/link.ts";
import type { SignedLink } from "../../contract/signed-link.ts";
import type { Binding } from "../../core/cursor.ts";
import { openCursor, sealCursor } from "../../core/cursor.ts";
import { formatInstant } from "../../core/instant.ts";
import { answer, type MethodContext } from "../calls/define.ts";
import type { Answer } from "./context.ts";

/**
 * On the records lens, a single download. On the files lens, any address, because its responses also link to listings
 * and reports (S-21).
 */
const SIGNABLE = {
  records: /^\/v1\/(?:blobs\/[^/]+|export|exports\/[^/]+\/download)$/,
  files: /^\/api\/[^/]/,
};

export function signLink(
  { key, caller, now }: MethodContext,
  { url }: LinkRequest,
  lens: keyof typeof SIGNABLE,
): Answer<SignedLink> {
  const { bearer } = caller.scope;
  if (bearer.kind === "owner") {
    throw new PdppError(
      "invalid_request",
      "the owner does not need signed links: links open in the owner's signed-in session",
      {
        next_step: "Open the address in a browser where you are signed in; signed links are for apps.",
      },
    );
  }
  const address = addressOf(url, lens);
  const expires = Math.min(now + LINK.lifetimeMs, caller.until);
  const holder = bearer.kind === "client" ? bearer.grant_id : bearer.grant_package_id;
  const signed = sealCursor(key, bindingOf(address), [holder!, expires]);
  return answer({
    object: "signed_link",
    url: `${address}${address.includes("?") ? "&" : "?"}${SIGNED}=${signed}`,
    expires_at: formatInstant(expires),
  });
}

/** The read that follows checks the grant, as it does for a token. */
export async function openLink({ key, now }: MethodContext, { url, signed }: OpenedLink): Promise<{ grant: string }> {
  const [grant, expires] = openCursor(key, bindingOf(url), signed) as [string, number];
  if (now >= expires) throw new PdppError("token_expired", "this link has expired");
  return { grant };
}

const bindingOf = (address: string): Binding => ({ space: "link", within: null, query: address });

function addressOf(url: string, lens: keyof typeof SIGNABLE): string {
  const parsed = URL.parse(url, "http://here");
  if (url.startsWith("/") && parsed?.origin === "http://here" && SIGNABLE[lens].test(parsed.pathname))
    return linkAddress(parsed);
  throw new PdppError("invalid_request", `this address cannot be signed: ${JSON.stringify(url.slice(0, 200))}`, {
    param: "url",
    next_step:
      lens === "records"
        ? "Use the path of a blob, an export or an export job's file, as returned in a response."
        : "Use a path below /api, as returned in a response.",
  });
}
