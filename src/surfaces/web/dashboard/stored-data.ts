// The overview's message if the stored data is damaged, or its disk fails.
import { PdppError } from "../../../contract/errors.ts";
import type { Visit } from "../owner-page.ts";
import type { Attention } from "./overview-view.ts";

const TEXTS: Record<string, string> = {
  store_damaged:
    "Some of the stored data is damaged and can no longer be read. Stop the server and run `pdpp doctor`, which shows what is damaged and what can be saved.",
  storage_full: "The disk is full: nothing more can be stored. Free some space.",
  storage_failed: "The disk reports errors. Back up to another disk now.",
};

/** The same check as `/readyz`. */
export async function aboutStoredData({ look }: Pick<Visit, "look">): Promise<Attention[]> {
  try {
    await look("ready", {});
    return [];
  } catch (error) {
    const text = error instanceof PdppError ? TEXTS[error.code] : undefined;
    return text === undefined ? [] : [{ text, action: "Check health", href: "/dashboard/settings#health" }];
  }
}
