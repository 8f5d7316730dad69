// The errors of both engines for damaged data: it is never returned as data, and retrying does not help.
import { PdppError } from "../contract/errors.ts";

export const damaged = (what: string): PdppError =>
  new PdppError("store_damaged", `the stored data is damaged: ${what}`);
