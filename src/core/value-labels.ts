// Labels for values that people choose from. Two different values have different labels, even if they look alike.
import { cleanDisplayName } from "./display-name.ts";

/** Invisible spaces: at either end, or after another space. */
const UNSEEN_SPACES = /^\s+|\s+$|(?<=\s)\s+/gu;
export const SPACE_MARK = "␣";

/**
 * Returns labels in the order of the values. Spaces at the end are made visible ("Family", "Family␣"), and labels that are equal after cleaning get a number.
 */
export function valueLabels(values: readonly string[], maximum?: number): string[] {
  const seen = new Map<string, number>();
  return values.map((value) => {
    const marked = value.replace(UNSEEN_SPACES, (spaces) => SPACE_MARK.repeat(spaces.length));
    const label = cleanDisplayName(marked, maximum) || "unnamed";
    const times = (seen.get(label) ?? 0) + 1;
    seen.set(label, times);
    return times === 1 ? label : `${label} (${times})`;
  });
}
