// Signed links: each is the URL of a single download, and works without a token for a few minutes, only while the grant
// is valid.
import { z } from "zod";

const url = z.string().min(1).max(16_384);

/** The URL of a download, taken from a response. */
export const linkRequest = z.strictObject({ url });

/** The serving process sends this when a link is opened. */
export const openedLink = z.strictObject({ url, signed: z.string().min(1).max(2000) });

export type LinkRequest = z.infer<typeof linkRequest>;
export type OpenedLink = z.infer<typeof openedLink>;

/** The query parameter that contains the signature. */
export const SIGNED = "signed";

/** Returns the text to sign: path and query in canonical form, without the signature. */
export function linkAddress(url: URL): string {
  const search = new URLSearchParams(url.searchParams);
  search.delete(SIGNED);
  return search.size === 0 ? url.pathname : `${url.pathname}?${search}`;
}
