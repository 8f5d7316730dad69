// Durations, distances and other quantities in everyday words.
const NUMBER = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });

export const quantity = (value: number, unit?: string): string =>
  unit === undefined ? NUMBER.format(value) : `${NUMBER.format(value)} ${unit}`;

/** "16 s", "3 min", "1 h 05 min" */
export function durationWords(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const rest = minutes % 60;
  return `${Math.floor(minutes / 60)} h${rest === 0 ? "" : ` ${String(rest).padStart(2, "0")} min`}`;
}

/** From metres: "420 m", "12.4 km" */
export const distanceWords = (metres: number): string =>
  metres < 1000 ? `${Math.round(metres)} m` : `${(metres / 1000).toFixed(metres < 100_000 ? 1 : 0)} km`;

/** Returns the duration between two times, if both are present and in order. */
export function durationBetween(from: string | undefined, to: string | undefined): string | undefined {
  const seconds = (Date.parse(to ?? "") - Date.parse(from ?? "")) / 1000;
  return Number.isFinite(seconds) && seconds > 0 ? durationWords(seconds) : undefined;
}

export function hostOf(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) return url;
  return new URL(url).host.replace(/^www\./, "") || url;
}
