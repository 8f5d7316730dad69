// Days and longer periods of the owner's calendar: when they begin and end, and their names.
import type { Granularity } from "../../../../contract/read.ts";
import { formatDay as isoDay, parseDay } from "../../../../core/instant.ts";
import { SHORT_MONTHS } from "../../../../core/month-names.ts";
import { offsetSpans } from "../../../../core/zone-offsets.ts";

export type CalendarStep = Extract<Granularity, "day" | "week" | "month" | "quarter" | "year">;

/** A period from one day to another, both inclusive, as `YYYY-MM-DD`. */
export interface Period {
  since: string;
  until: string;
}

export const DAY_MS = 86_400_000;

export const dayAt = (instant: number, zone: string): string => isoDay(instant + offsetSpans(zone)(instant).offset);

export const dayAfter = (day: string, days = 1): string => isoDay(parseDay(day)! + days * DAY_MS);

/** Returns the days of a bucket, given its label in an aggregation. */
export function periodOf(step: CalendarStep, label: string): Period {
  const since = firstDay(step, label);
  return { since, until: dayAfter(firstDay(step, nextLabel(step, label)), -1) };
}

function firstDay(step: CalendarStep, label: string): string {
  if (step === "day" || step === "week") return label;
  if (step === "month") return `${label}-01`;
  if (step === "year") return `${label}-01-01`;
  const [year, quarter] = label.split("-Q");
  return `${year}-${String((Number(quarter) - 1) * 3 + 1).padStart(2, "0")}-01`;
}

export function nextLabel(step: CalendarStep, label: string): string {
  if (step === "day" || step === "week") return dayAfter(label, step === "day" ? 1 : 7);
  const date = new Date(`${firstDay(step, label)}T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() + { month: 1, quarter: 3, year: 12 }[step]);
  return labelOf(step, date.toISOString().slice(0, 10));
}

/** Returns the label of the bucket that contains a day. */
export function labelOf(step: CalendarStep, day: string): string {
  if (step === "day") return day;
  if (step === "week") return dayAfter(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7));
  if (step === "month") return day.slice(0, 7);
  return step === "year" ? day.slice(0, 4) : `${day.slice(0, 4)}-Q${Math.ceil(Number(day.slice(5, 7)) / 3)}`;
}

/** Examples: "5 Mar 2024", "week of 5 Mar 2024", "Mar 2024", "Q1 2024", "2024" */
export function bucketWords(step: CalendarStep, label: string): string {
  const [year, month, day] = label.split("-");
  if (step === "year") return label;
  if (step === "quarter") return `${month} ${year}`;
  const named = `${SHORT_MONTHS[Number(month) - 1]} ${year}`;
  return step === "month" ? named : `${step === "week" ? "week of " : ""}${Number(day)} ${named}`;
}
