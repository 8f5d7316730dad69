// What both engines say when stored data is damaged: it is never answered as data, and trying again does not help.
import { PdppError } from "../contract/errors.ts";

export const damaged = (what: string): PdppError =>
  new PdppError("store_damaged", `the stored data is damaged: ${what}`);
