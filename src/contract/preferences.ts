// How the owner wants pages to look: colours, time zone and language of dates. Stored in the home, so that every
// browser follows it (V-13).
import { z } from "zod";

export const THEMES = ["system", "light", "dark"] as const;

/** A name that `Intl` knows. */
const isTimeZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
};

/** A BCP 47 tag that dates can be written in. */
const isLanguage = (tag: string): boolean => {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length === 1;
  } catch {
    return false;
  }
};

export const preferences = z.strictObject({
  theme: z.enum(THEMES),
  /** Absent: the time zone of the browser. */
  time_zone: z.string().max(64).refine(isTimeZone, "is not a time zone, such as Europe/Lisbon").optional(),
  /** Absent: British English. */
  date_language: z.string().max(35).refine(isLanguage, "is not a language tag, such as de or en-US").optional(),
});

export type Preferences = z.infer<typeof preferences>;
export type Theme = Preferences["theme"];
