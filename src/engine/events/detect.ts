// Finds the subscriptions whose grant shows a change. Nothing else causes an event (F-06).
import type { Finding } from "../../contract/event-requests.ts";
import { newId } from "../../contract/ids.ts";
import { compilePlan, revealChange } from "../../core/plan.ts";
import type { ScopeRow } from "../../core/scope.ts";
import type { MethodContext, WriteContext } from "../calls/define.ts";
import { sinceToken } from "../read/changes.ts";
import { holderOf, rowsFor } from "./holder.ts";
import {
  expiredRemovals,
  type FeedPosition,
  placeKey,
  placeOf,
  putSubscription,
  putWaiting,
  type Subscription,
  subscription,
  subscriptions,
  waitingEvents,
} from "./stored.ts";

/** How many feed positions are checked in the lane for quick reads. Longer checks move to the scan lane. */
const FIRST_STEP = 32;
const STEP = 500;
/** The maximum per call. The next call continues from there. */
const ROWS_MAX = 5000;
/**
 * Up to this many hidden changes are skipped again next time rather than recorded, because most writes concern no
 * subscription.
 */
const NOT_WORTH_NOTING = 256;

export interface Detection {
  findings: Finding[];
  /** Subscriptions whose grant has ended, or whose removal can no longer be undone. */
  ended: string[];
  /** True if some positions have not been checked yet. */
  more: boolean;
}

export async function lookForChanges(context: MethodContext): Promise<Detection> {
  const { view, caller, now } = context;
  const ended = await expiredRemovals(view, caller.subjectId, now);
  const looked: (Finding & { passed: number })[] = [];
  const findings = (more: boolean): Detection => ({
    // After an interrupted check every position is recorded, so that the next check continues from there.
    findings: looked
      .filter(({ found, passed }) => found || more || passed >= NOT_WORTH_NOTING)
      .map(({ passed: _passed, ...finding }) => finding),
    ended,
    more,
  });
  const head = await view.version();
  let left = ROWS_MAX;
  for (const one of await subscriptions(view, caller.subjectId)) {
    if (one.status === "ended") continue;
    const holder = await holderOf(view, caller, one.holder, now);
    if (holder === undefined) ended.push(one.id);
    if (holder === undefined || one.status !== "active") continue;
    const waiting = await streamsWaiting(context, one);
    for (const row of rowsFor(one, holder.scope)) {
      const { connectionId: connection_id, name: stream } = row.stream;
      const key = placeKey(connection_id, stream);
      const { seen: from } = placeOf(one, key);
      if (waiting.has(key) || from >= head) continue;
      const seen = await lookThrough(context, row, from, head, left);
      left -= seen.passed;
      if (seen.found || seen.passed > 0)
        looked.push({ subscription_id: one.id, connection_id, stream, grant_id: row.grantId!, from, ...seen });
      if (seen.to < head || left <= 0) return findings(true);
    }
  }
  return findings(false);
}

async function streamsWaiting(
  { view, caller }: Pick<WriteContext, "caller"> & { view: MethodContext["view"] },
  { id }: Subscription,
): Promise<Set<string>> {
  const events = await waitingEvents(view, caller.subjectId, id);
  return new Set(
    events.flatMap(({ connectionId, stream }) => (stream === undefined ? [] : placeKey(connectionId!, stream))),
  );
}

/** Checks whether anything after `from` is visible under the grant. */
async function lookThrough(
  context: MethodContext,
  row: ScopeRow,
  from: number,
  head: number,
  most: number,
): Promise<{ found: boolean; to: number; passed: number }> {
  const plan = compilePlan(row);
  let [position, passed] = [from, 0];
  for (let step = FIRST_STEP; ; step = STEP) {
    const entries = await context.view.feed(plan, position, head, step);
    for (const entry of entries) {
      if (revealChange(plan, entry.row, entry.position) !== undefined) return { found: true, to: head, passed };
      position = entry.position;
      passed++;
    }
    if (entries.length < step) return { found: false, to: head, passed };
    if (passed >= most) return { found: false, to: position, passed };
    context.scan();
  }
}

/** Stores the events and the feed position in one transaction, so a detected change is always delivered. */
export async function noteChanges(
  context: WriteContext,
  { findings }: { findings: readonly Finding[] },
): Promise<{ events: number }> {
  const { view, caller, key, now } = context;
  const { subjectId } = caller;
  const era = (await view.eras()).at(-1)!.name;
  let events = 0;
  for (const [id, found] of Map.groupBy(findings, ({ subscription_id }) => subscription_id)) {
    const one = await subscription(view, subjectId, id);
    const holder = one?.status === "active" ? await holderOf(view, caller, one.holder, now) : undefined;
    if (one === undefined || holder === undefined) continue;
    const rows = rowsFor(one, holder.scope);
    const waiting = await streamsWaiting(context, one);
    for (const finding of found) {
      const { connection_id: connectionId, stream, grant_id: grantId } = finding;
      const name = placeKey(connectionId, stream);
      const place = placeOf(one, name);
      const row = rows.find(
        (candidate) =>
          candidate.grantId === grantId &&
          candidate.stream.connectionId === connectionId &&
          candidate.stream.name === stream,
      );
      // The state has changed since, so the next check starts from the current state.
      if (row === undefined || waiting.has(name) || place.seen !== finding.from) continue;
      one.places[name] = after(place, finding);
      if (!finding.found) continue;
      const changesSince = sinceToken(key, row, place.since, era);
      const about = { type: "change" as const, connectionId, stream, grantId, changesSince };
      const made = { id: newId("event"), subscriptionId: id, createdAt: now, dueAt: now, tries: 0, attempts: [] };
      await putWaiting(view, subjectId, { ...made, ...about });
      events++;
    }
    await putSubscription(view, subjectId, { ...one, places: stillThere(one.places, rows) });
  }
  return { events };
}

/**
 * If nothing visible changed, a reader can just as well start later. If something visible changed, only a delivery
 * advances `since`.
 */
function after({ since, seen }: FeedPosition, { to, found }: Finding): FeedPosition {
  return { since: !found && since === seen ? to : since, seen: to };
}

/** Nothing is kept for deleted streams. */
function stillThere(places: Subscription["places"], rows: readonly ScopeRow[]): Subscription["places"] {
  const names = new Set(rows.map(({ stream }) => placeKey(stream.connectionId, stream.name)));
  return Object.fromEntries(Object.entries(places).filter(([name]) => names.has(name)));
}
