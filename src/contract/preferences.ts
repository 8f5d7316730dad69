// Appearance of the owner's pages: colours, time zone and date language. Stored in the home, so that it applies in
// every browser (V-13).
import { z } from "zod";

export const THEMES = ["system", "light", "dark"] as const;

/** True for a name that `Intl` supports. */
const isTimeZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
};

/** True for a BCP 47 tag that dates can be formatted in. */
const isLanguage = (tag: string): boolean => {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length === 1;
  } catch {
    return false;
  }
};

export const preferences = z.strictObject({
  theme: z.enum(THEMES),
  /** Absent means the browser's time zone. */
  time_zone: z.string().max(64).refine(isTimeZone, "is not a time zone; use one such as Europe/Lisbon").optional(),
  /** Absent means British English. */
  date_language: z.string().max(35).refine(isLanguage, "is not a language tag; use one such as de or en-US").optional(),
});

export type Preferences = z.infer<typeof preferences>;
export type Theme = Preferences["theme"];
