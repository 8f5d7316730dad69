// Errors for a backup whose bytes have changed, and for a damaged home.
import { PdppError } from "../../contract/errors.ts";
import { damaged } from "../../store/damage.ts";

export const backupDamaged = (what: string): PdppError =>
  new PdppError("store_unavailable", `this backup is damaged: ${what}`, {
    next_step: "Nothing was restored. Use another backup.",
  });

/** Throws if the home to be backed up is damaged. */
export function requireSound(problems: readonly string[], name: string): void {
  if (problems.length > 0) throw damaged(`${name}: ${problems[0]}`);
}
