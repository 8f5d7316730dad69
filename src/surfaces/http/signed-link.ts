// A request with a signed link. The link's grant is used instead of a token, and the signature is removed before
// anything else sees the address.
import { linkAddress, SIGNED } from "../../contract/link.ts";
import type { Credential } from "../../engine/caller.ts";
import type { EngineHost } from "../../engine/host.ts";
import type { Exchange } from "./respond.ts";

/** Returns undefined if the address is not signed. */
export async function signedCaller(
  host: EngineHost,
  exchange: Exchange,
): Promise<{ exchange: Exchange; credential: Credential } | undefined> {
  const { request, url, requestId } = exchange;
  const signed = url.searchParams.get(SIGNED);
  if (signed === null || (request.method !== "GET" && request.method !== "HEAD")) return undefined;
  const { grant } = await host.call("openLink", { url: linkAddress(url), signed }, { home: true }, requestId);
  const inside = new URL(url);
  inside.searchParams.delete(SIGNED);
  return { exchange: { ...exchange, url: inside }, credential: { grant } };
}
