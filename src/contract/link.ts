// Signed links: the address of one download that works without a token, for some minutes and only while its grant is
// valid.
import { z } from "zod";

const url = z.string().min(1).max(16_384);

/** The address of a download, from an answer. */
export const linkRequest = z.strictObject({ url });

/** The serving process sends this when a link is opened. */
export const openedLink = z.strictObject({ url, signed: z.string().min(1).max(2000) });

export type LinkRequest = z.infer<typeof linkRequest>;
export type OpenedLink = z.infer<typeof openedLink>;

/** The parameter that holds the signature. */
export const SIGNED = "signed";

/** The signed text: path and query in canonical form, without the signature. */
export function linkAddress(url: URL): string {
  const search = new URLSearchParams(url.searchParams);
  search.delete(SIGNED);
  return search.size === 0 ? url.pathname : `${url.pathname}?${search}`;
}
