// The freshness and health of a connection, derived from its schedule and from when it was last compared with its
// source.
import type { Freshness, Health, Timing } from "../contract/schedule.ts";
import { formatInstant } from "./instant.ts";
import { plannedAfter } from "./schedule-times.ts";

/** The last comparison of a connection with its source, stored for each connection. */
export interface ConnectionCheck {
  at: number;
  ok: boolean;
  /** The time of the last successful comparison. */
  okAt: number | null;
  message?: string;
}

export interface PlannedCheck {
  timing: Timing;
  isPaused: boolean;
  /** Null while the check is running or its schedule is paused. */
  nextAt: number | null;
  failures: number;
}

/** A check can be this late without being reported, because servers sleep and sources respond late. */
const GRACE_MS = 15 * 60_000;

export function freshnessOf(
  check: ConnectionCheck | undefined,
  planned: PlannedCheck | undefined,
  now: number,
): Freshness {
  const okAt = check?.okAt ?? null;
  return {
    status: planned === undefined ? "unknown" : isCurrent(okAt, planned, now) ? "current" : "stale",
    checked_at: okAt === null ? null : formatInstant(okAt),
    next_check_at:
      planned === undefined || planned.isPaused || planned.nextAt === null ? null : formatInstant(planned.nextAt),
  };
}

/** The next scheduled check can be late by half an interval, or by the grace period if that is longer. */
function isCurrent(okAt: number | null, { timing }: PlannedCheck, now: number): boolean {
  if (okAt === null) return false;
  const next = plannedAfter(timing, okAt);
  return now <= next + Math.max(GRACE_MS, (next - okAt) / 2);
}

export interface HealthFacts {
  connectionId: string;
  /** How the data arrives: from a connector process, from an indexed disk, or from imports. */
  kind: Health["read_by"];
  check: ConnectionCheck | undefined;
  planned: PlannedCheck | undefined;
  /** A question from the connector that waits for the owner's answer. */
  question?: string | undefined;
  hasRecords: boolean;
}

/** Answers the owner's first question: is there anything to do? */
export function healthOf(facts: HealthFacts, now: number): Health {
  const { kind } = facts;
  return { read_by: kind, ...verdictOf(facts, now) };
}

function runCommand(connectionId: string, kind: Health["read_by"], planned: PlannedCheck | undefined): string {
  if (kind === "connector") return `\`pdpp connectors run ${connectionId}\``;
  return planned === undefined ? "`pdpp files index PATH`" : `\`pdpp schedules run ${connectionId}\``;
}

function verdictOf(
  { connectionId, kind, check, planned, question, hasRecords }: HealthFacts,
  now: number,
): Omit<Health, "read_by"> {
  const runNow = runCommand(connectionId, kind, planned);
  if (question !== undefined) {
    return {
      verdict: "waiting_for_you",
      words: `It asks: ${question}`,
      next_step: `Answer on its page, or: \`pdpp connectors answer ${connectionId}\``,
    };
  }
  // A connection that is no longer updated automatically cannot fail.
  if (check !== undefined && !check.ok && kind !== "hand") {
    const times = planned !== undefined && planned.failures > 1 ? ` ${planned.failures} times in a row` : "";
    return {
      verdict: "failing",
      words: `The last run failed${times}: ${check.message ?? "no reason was given"}`,
      next_step: `Fix that, then run it again: ${runNow}`,
    };
  }
  if (planned?.isPaused) {
    return {
      verdict: "paused",
      words: "The schedule is paused, so this connection is not updated.",
      next_step: `\`pdpp schedules resume ${connectionId}\``,
    };
  }
  if (planned !== undefined) {
    if (check === undefined)
      return {
        verdict: "never_read",
        words: "It has not run yet.",
        next_step: `It is scheduled. To run it now: ${runNow}`,
      };
    if (!isCurrent(check.okAt, planned, now)) {
      return {
        verdict: "stale",
        words: `Overdue: the last successful run was at ${formatInstant(check.okAt!)}.`,
        next_step: `Check that the server is running. To run it now: ${runNow}`,
      };
    }
    return { verdict: "ok", words: `Up to date, last updated at ${formatInstant(check.okAt!)}.` };
  }
  if (kind !== "hand") {
    return {
      verdict: check === undefined ? "never_read" : "by_hand",
      words: check === undefined ? "It has not run yet." : `Not scheduled. Last updated at ${formatInstant(check.at)}.`,
      next_step: `\`pdpp schedules set ${connectionId} --every 1h\``,
    };
  }
  if (!hasRecords) {
    return {
      verdict: "never_read",
      words: "Nothing has been imported yet.",
      next_step: "`pdpp import PATH`, or POST /v1/ingest/{stream}",
    };
  }
  return { verdict: "by_hand", words: "Not scheduled. Last updated by an import." };
}
