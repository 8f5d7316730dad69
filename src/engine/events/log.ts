// The log of a subscription's events (sent, waiting or abandoned), and their replay.

import { PdppError } from "../../contract/errors.ts";
import type { EventDelivery, EventReplay } from "../../contract/event-answers.ts";
import type { DeliveriesQuery, ReplayRequest } from "../../contract/event-requests.ts";
import { EVENTS, PAGE } from "../../contract/limits.ts";
import { EVENT_TYPES } from "../../core/cloud-event.ts";
import { openCursor, sealCursor } from "../../core/cursor.ts";
import { EVENTS_PATH } from "../../core/event-capabilities.ts";
import { parseInstant } from "../../core/instant.ts";
import { isOwner } from "../../core/scope.ts";
import type { WriteView } from "../../store/store.ts";
import type { Caller } from "../caller.ts";
import type { MethodContext, WriteContext } from "../calls/define.ts";
import { type Answer, listJson } from "../read/context.ts";
import { ownSubscription, requireHolder } from "./holder.ts";
import { finishedEvents, forgetFinished, putBack, type StoredEvent, waitingEvents } from "./stored.ts";

const instant = (at: number): string => new Date(at).toISOString();

/** After this time an attempt is over, whether the connection was refused immediately or timed out. */
const TRY_MS = EVENTS.timeoutMs + 2000;
/** After this time a failed challenge is closed, however quickly its attempts failed. */
const CHALLENGE_MS =
  EVENTS.retriesMs.slice(0, EVENTS.challengeTries - 1).reduce((sum, wait) => sum + wait * (1 + EVENTS.jitter), 0) +
  EVENTS.challengeTries * TRY_MS;

/**
 * An app sees a failure only after the slowest kind of failure would have ended, so the time that a failure takes
 * reveals nothing (G-09).
 */
export function shownStatus({ end, type, createdAt, attempts }: StoredEvent, { scope }: Caller, now: number): Status {
  const status = end?.status ?? "waiting";
  if (status !== "failed" || isOwner(scope)) return status;
  const { at, milliseconds } = attempts.at(-1)!;
  const over = Math.max(at - milliseconds + TRY_MS, type === "challenge" ? createdAt + CHALLENGE_MS : 0);
  return now < over ? "waiting" : "failed";
}

type Status = EventDelivery["status"];

/** The owner sees each attempt. An app sees only whether an event was delivered. */
export function deliveryOf(event: StoredEvent, caller: Caller, now: number): EventDelivery {
  const { id, subscriptionId, type, connectionId, stream, end, tries, createdAt, dueAt, attempts } = event;
  return {
    object: "event_delivery",
    event_id: id,
    subscription_id: subscriptionId,
    type: EVENT_TYPES[type],
    ...(connectionId === undefined ? {} : { connection_id: connectionId }),
    ...(stream === undefined ? {} : { stream }),
    status: shownStatus(event, caller, now),
    created_at: instant(createdAt),
    ...(end?.status === "delivered" ? { delivered_at: instant(end.at) } : {}),
    ...(isOwner(caller.scope)
      ? {
          tries,
          ...(dueAt === null ? {} : { next_try_at: instant(dueAt) }),
          attempts: attempts.map(({ at, ...rest }) => ({ at: instant(at), ...rest })),
        }
      : {}),
  };
}

export async function readDeliveries(
  { view, caller, key, now }: MethodContext,
  { id, status, limit = PAGE.default, cursor }: DeliveriesQuery,
): Promise<Answer> {
  await ownSubscription(view, caller, id);
  const binding = { space: "page", within: caller.scope.bearer, query: ["deliveries", id, status ?? null] } as const;
  const after = cursor === undefined ? undefined : (openCursor(key, binding, cursor) as [number, string]);
  const all = [
    ...(await waitingEvents(view, caller.subjectId, id)),
    ...(await finishedEvents(view, caller.subjectId, id)),
  ]
    .filter((event) => status === undefined || shownStatus(event, caller, now) === status)
    .sort(newestFirst)
    .filter((event) => after === undefined || newestFirst({ createdAt: after[0], id: after[1] }, event) < 0);
  const page = all.slice(0, limit);
  const hasMore = all.length > limit;
  const last = page.at(-1);
  const url = `${EVENTS_PATH}/${encodeURIComponent(id)}/deliveries`;
  const asked = new URLSearchParams({
    ...(status && { status }),
    ...(limit === PAGE.default ? {} : { limit: `${limit}` }),
  });
  const body = listJson({
    url,
    self: asked.size === 0 ? url : `${url}?${asked}`,
    items: page.map((event) => JSON.stringify(deliveryOf(event, caller, now))),
    hasMore,
    ...(hasMore && last ? { nextCursor: sealCursor(key, binding, [last.createdAt, last.id]) } : {}),
  });
  return { body, records: 0, reads: [] };
}

type EventPosition = Pick<StoredEvent, "createdAt" | "id">;

const newestFirst = (one: EventPosition, other: EventPosition): number =>
  other.createdAt - one.createdAt || (one.id < other.id ? 1 : one.id > other.id ? -1 : 0);

/** Sends events again under their original ids, so that a receiver recognises the ones it already has. */
export async function replayEvents(
  { view, caller, now }: WriteContext,
  { id, event_id, since }: ReplayRequest,
): Promise<EventReplay> {
  const { subjectId } = caller;
  const one = await ownSubscription(view, caller, id);
  if ((event_id === undefined) === (since === undefined))
    throw new PdppError("invalid_request", "specify either event_id or since", { param: "event_id" });
  await requireHolder(view, caller, one, now);
  const past = (await finishedEvents(view, subjectId, id)).filter(({ type }) => type === "change");
  const finished = past.filter((event) => shownStatus(event, caller, now) !== "waiting");
  const from = since === undefined ? 0 : parseInstant(since)!;
  const again = finished.filter((event) => (event_id === undefined ? event.createdAt >= from : event.id === event_id));
  const waits = [...past, ...(await waitingEvents(view, subjectId, id))].some((event) => event.id === event_id);
  if (event_id !== undefined && again.length === 0 && !waits) {
    throw new PdppError("not_found", `there is no event ${JSON.stringify(event_id)} in the log`, {
      param: "event_id",
      next_step: `GET ${EVENTS_PATH}/${id}/deliveries lists the events in it.`,
    });
  }
  for (const event of again) {
    const { end: _end, firstTryAt: _first, ...rest } = event;
    await putBack(view, subjectId, { ...rest, tries: 0, dueAt: one.status === "active" ? now : null });
  }
  return { object: "event_replay", subscription_id: id, event_ids: again.map((event) => event.id).reverse() };
}

/** Dead letters have their own limit, so a busy stream does not push them out. */
export async function forgetOld(view: WriteView, subjectId: string, id: string, now: number): Promise<void> {
  const kept = { delivered: 0, failed: 0 };
  for (const event of await finishedEvents(view, subjectId, id)) {
    const { status, at } = event.end!;
    kept[status]++;
    if (kept[status] > EVENTS.remembered || now - at > EVENTS.rememberedMs)
      await forgetFinished(view, subjectId, event.id);
  }
}
