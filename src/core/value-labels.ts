// Labels of values that people choose from: two values that differ have two labels, even if they look alike.
import { cleanDisplayName } from "./display-name.ts";

/** Spaces that cannot be seen: at an end, and after another one. */
const UNSEEN_SPACES = /^\s+|\s+$|(?<=\s)\s+/gu;
export const SPACE_MARK = "␣";

/** In the order of the values: "Family", "Family␣", and with a number where cleaning leaves no difference. */
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
