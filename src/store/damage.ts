// The errors that both engines raise for damaged data. Such data is never returned, and retrying does not help.
import { PdppError } from "../contract/errors.ts";

export const damaged = (what: string): PdppError =>
  new PdppError("store_damaged", `the stored data is damaged: ${what}`);
