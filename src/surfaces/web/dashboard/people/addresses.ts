// Dashboard addresses of people. Any identifier of a person leads to the same page, so that a record can link to it
// without a lookup.
import { type Pairs, withPairs } from "../explore/addresses.ts";

export const PEOPLE = "/dashboard/people";

/**
 * `id` is the id of a person or of one of their identifiers. Dots are encoded, because they would look like a file
 * extension.
 */
export const personAddress = (id: string, pairs: Pairs = []): string =>
  withPairs(`${PEOPLE}/${encodeURIComponent(id).replaceAll(".", "%2E")}`, pairs);
