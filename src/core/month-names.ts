// English names of months, as exports and pages write them.

export const MONTHS: readonly string[] =
  "January February March April May June July August September October November December".split(" ");

/** Jan, Feb … */
export const SHORT_MONTHS: readonly string[] = MONTHS.map((name) => name.slice(0, 3));

/** 1 to 12, by the long or the short name in any case; 0: it is not a month. */
export function monthNumber(name: string): number {
  const lower = name.toLowerCase();
  const isNamed = (month: string): boolean => [month, month.slice(0, 3)].some((one) => one.toLowerCase() === lower);
  return MONTHS.findIndex(isNamed) + 1;
}
