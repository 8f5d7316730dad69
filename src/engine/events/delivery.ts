// Deliveries: which events are due, what they contain, and what follows from each result.
import type { KeyObject } from "node:crypto";
import type { DeliveryOutcome } from "../../contract/event-requests.ts";
import { EVENTS } from "../../contract/limits.ts";
import { changesUrl, cloudEvent, EVENT_CONTENT_TYPE, streamSubject } from "../../core/cloud-event.ts";
import { isDue, isGivenUp, retryDelay } from "../../core/event-retries.ts";
import { openSecrets } from "../../core/sealed-secrets.ts";
import { signatureOf } from "../../core/webhook-signature.ts";
import { webhookAddress } from "../../core/webhook-url.ts";
import type { ReadView } from "../../store/store.ts";
import type { Caller } from "../caller.ts";
import type { MethodContext, WriteContext } from "../calls/define.ts";
import { allowedAddresses } from "./allowances.ts";
import { clientOf, type GrantHolder, holderOf, rowsFor } from "./holder.ts";
import { forgetOld } from "./log.ts";
import {
  dropEvent,
  dropSubscription,
  dropWaiting,
  dueEvents,
  expiredRemovals,
  placeKey,
  placeOf,
  putFinished,
  putSubscription,
  putWaiting,
  type StoredEvent,
  type Subscription,
  subscription,
  subscriptions,
  waitingEvent,
} from "./stored.ts";
import { holdOrRelease } from "./subscriptions.ts";

const DAY_MS = 86_400_000;

export interface DueEvents {
  /** The first due event of each subscription. */
  due: { id: string; subscriptionId: string }[];
  /** When the next event is due. */
  nextAt?: number;
}

export async function readDueEvents({ view, caller, now }: MethodContext): Promise<DueEvents> {
  const due = new Map<string, string>();
  let nextAt = Number.POSITIVE_INFINITY;
  for (const { id, subscriptionId, dueAt } of await dueEvents(view, caller.subjectId)) {
    if (!isDue(dueAt!, now)) nextAt = Math.min(nextAt, dueAt!);
    else if (!due.has(subscriptionId)) due.set(subscriptionId, id);
  }
  return {
    due: [...due].map(([subscriptionId, id]) => ({ id, subscriptionId })),
    ...(Number.isFinite(nextAt) ? { nextAt } : {}),
  };
}

export interface Sending {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** True if the owner allowed this address for this app. It may then be private and use plain http. */
  allowed: boolean;
  /** True if the response body has to be read. */
  challenge: boolean;
  covers: number;
}

/** Signs the event here, so that no secret leaves the engine. Returns undefined if the event may not be sent now. */
export async function readSending(
  { view, caller, key, now }: MethodContext,
  { id, origin }: { id: string; origin: string },
): Promise<Sending | undefined> {
  const event = await waitingEvent(view, caller.subjectId, id);
  const found = event && (await sendable(view, caller, event, now));
  if (event === undefined || found === undefined) return undefined;
  const { one, holder } = found;
  const allowed = await allowedAddresses(view, caller.subjectId, clientOf(holder));
  const body = textOf(event, one, origin);
  const timestamp = Math.floor(now / 1000);
  return {
    url: one.url,
    headers: {
      "content-type": EVENT_CONTENT_TYPE,
      "webhook-id": id,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": signatureOf(secretsOf(key, one, now), id, timestamp, body),
    },
    body,
    allowed: allowed.has(webhookAddress(new URL(one.url))),
    challenge: event.type === "challenge",
    covers: await view.version(),
  };
}

function textOf(event: StoredEvent, { id: subscription_id }: Subscription, origin: string): string {
  const { id, type, createdAt: at } = event;
  if (type !== "change") {
    const data = { subscription_id, ...(event.challenge === undefined ? {} : { challenge: event.challenge }) };
    return cloudEvent({ id, type, origin, subject: subscription_id, at, data });
  }
  const { connectionId, stream, grantId, changesSince } = event as Required<StoredEvent>;
  const data = {
    subscription_id,
    grant_id: grantId,
    connection_id: connectionId,
    stream,
    changes_since: changesSince,
    records_url: changesUrl(origin, connectionId, stream, changesSince),
  };
  return cloudEvent({ id, type, origin, subject: streamSubject(connectionId, stream), at, data });
}

function secretsOf(key: KeyObject, { id, secrets }: Subscription, now: number): string[] {
  return secrets.flatMap(({ sealed, until }) =>
    until === undefined || until > now ? (openSecrets(key, id, sealed)?.secret ?? []) : [],
  );
}

/** Returns the event's subscription if the event may be sent now. Checked before and during each attempt. */
async function sendable(
  view: ReadView,
  caller: Caller,
  event: StoredEvent,
  now: number,
): Promise<{ one: Subscription; holder: GrantHolder } | undefined> {
  const one = await subscription(view, caller.subjectId, event.subscriptionId);
  if (one === undefined) return undefined;
  const open = one.status === "active" || (one.status === "pending" && event.type === "challenge");
  const holder = open ? await holderOf(view, caller, one.holder, now) : undefined;
  if (holder === undefined) return undefined;
  return event.type !== "change" || isShown(event, one, holder.scope) ? { one, holder } : undefined;
}

function isShown(
  { grantId, connectionId, stream }: StoredEvent,
  one: Subscription,
  scope: Parameters<typeof rowsFor>[1],
): boolean {
  return rowsFor(one, scope).some(
    (row) => row.grantId === grantId && row.stream.connectionId === connectionId && row.stream.name === stream,
  );
}

/** Returns the running deliveries that are no longer allowed. */
export async function readDisallowed(
  { view, caller, now }: MethodContext,
  { ids }: { ids: string[] },
): Promise<string[]> {
  const fallen: string[] = [];
  for (const id of ids) {
    const event = await waitingEvent(view, caller.subjectId, id);
    if (event === undefined || (await sendable(view, caller, event, now)) === undefined) fallen.push(id);
  }
  return fallen;
}

/** Deletes events that may not be sent, unless their subscription is only paused. */
export async function dropDisallowed({ view, caller, now }: WriteContext, { ids }: { ids: string[] }) {
  for (const id of ids) {
    const event = await waitingEvent(view, caller.subjectId, id);
    if (event === undefined || (await sendable(view, caller, event, now)) !== undefined) continue;
    const one = await subscription(view, caller.subjectId, event.subscriptionId);
    const rests = one !== undefined && (one.status === "paused" || one.status === "disabled");
    if (rests) await putWaiting(view, caller.subjectId, { ...event, dueAt: null });
    else await dropEvent(view, caller.subjectId, id);
  }
  return {};
}

/** Records the result of an attempt. Nothing is stored for an event that was deleted in the meantime. */
export async function noteDelivery(
  context: WriteContext,
  { id, covers, outcome }: { id: string; covers: number; outcome: DeliveryOutcome },
  chance: number,
) {
  const { view, caller, now } = context;
  const { subjectId } = caller;
  const before = await waitingEvent(view, subjectId, id);
  const one = before && (await subscription(view, subjectId, before.subscriptionId));
  if (before === undefined || one === undefined) return {};
  const error = failureOf(before, outcome);
  const { status, milliseconds } = outcome;
  const attempt = {
    at: now,
    ...(status === undefined ? {} : { status }),
    ...(error === undefined ? {} : { error }),
    milliseconds,
  };
  const event: StoredEvent = {
    ...before,
    tries: before.tries + 1,
    firstTryAt: before.firstTryAt ?? now,
    attempts: [...before.attempts, attempt].slice(-EVENTS.attemptsTold),
  };
  if (error === undefined) {
    await putFinished(view, subjectId, { ...event, dueAt: null, end: { status: "delivered", at: now } });
    await settled(context, delivered(one, event, covers, now));
  } else {
    const isGone = status === 410;
    const { tries, firstTryAt } = event;
    if (isGivenUp(event.type, tries, firstTryAt!, now) || (isGone && event.type === "challenge"))
      await putFinished(view, subjectId, { ...event, dueAt: null, end: { status: "failed", at: now } });
    else {
      const wait = retryDelay(
        tries,
        chance,
        status === 429 || status === 503 ? outcome.retry_after_seconds : undefined,
      );
      await putWaiting(view, subjectId, { ...event, dueAt: now + wait });
    }
    await settled(context, failed(one, { at: now, error }, isGone));
  }
  await forgetOld(view, subjectId, one.id, now);
  return {};
}

async function settled(context: WriteContext, next: Subscription): Promise<void> {
  await putSubscription(context.view, context.caller.subjectId, next);
  await holdOrRelease(context, next);
}

/** Returns undefined if the event was delivered. */
function failureOf({ type, challenge }: StoredEvent, { status, error, answer }: DeliveryOutcome): string | undefined {
  if (error !== undefined) return error;
  if (status === undefined) return "no answer";
  if (status >= 300 && status < 400) return `it redirects (${status}), and redirects are not followed`;
  if (status < 200 || status >= 300) return `it responded with ${status}`;
  return type !== "challenge" || repeated(answer) === challenge
    ? undefined
    : "its response does not repeat the challenge";
}

function repeated(answer = ""): unknown {
  try {
    return (JSON.parse(answer) as { challenge?: unknown } | null)?.challenge;
  } catch {
    return undefined;
  }
}

/**
 * The receiver reads from the event's token, so it has read at least everything that was in the feed when the attempt
 * started.
 */
function delivered(one: Subscription, event: StoredEvent, covers: number, now: number): Subscription {
  const { failing: _failing, failure: _failure, reason: _reason, ...rest } = one;
  const next: Subscription = { ...rest, deliveredAt: now };
  if (event.type === "challenge") {
    next.verifiedAt = now;
    if (one.status === "pending") next.status = "active";
  }
  if (event.type === "change") {
    const name = placeKey(event.connectionId!, event.stream!);
    const { since, seen } = placeOf(one, name);
    next.places = { ...one.places, [name]: { since: Math.max(since, covers), seen: Math.max(seen, covers) } };
  }
  return next;
}

/** Counts only days with attempts, so a server that was down for a week has not failed for a week. */
function failed(one: Subscription, failure: { at: number; error: string }, isGone: boolean): Subscription {
  const day = Math.floor(failure.at / DAY_MS);
  const { days, lastDay } = one.failing ?? { days: 0, lastDay: Number.NaN };
  const failing = { days: day === lastDay ? days : days + 1, lastDay: day };
  const next: Subscription = { ...one, failure, failing };
  // A pending subscription stays pending: if an address did not repeat the challenge, the app must not learn how the
  // address responded.
  if (one.status !== "active") return next;
  if (isGone)
    return {
      ...next,
      status: "disabled",
      reason: { code: "gone", message: "its address responded with 410: it is gone" },
    };
  if (failing.days <= EVENTS.failingDays) return next;
  const message = `every attempt failed on ${EVENTS.failingDays} days; the last error: ${failure.error}`;
  return { ...next, status: "disabled", reason: { code: "failing", message } };
}

/** Ends subscriptions whose grants have ended: waiting events are not sent, and the secrets are deleted. */
export async function endSubscriptions({ view, caller, now }: WriteContext) {
  const { subjectId } = caller;
  for (const id of await expiredRemovals(view, subjectId, now)) await dropSubscription(view, subjectId, id);
  for (const one of await subscriptions(view, subjectId)) {
    if (one.status === "ended") {
      if (now - one.endedAt! >= EVENTS.rememberedMs) await dropSubscription(view, subjectId, one.id);
      continue;
    }
    if ((await holderOf(view, caller, one.holder, now)) !== undefined) continue;
    await dropWaiting(view, subjectId, one.id);
    await putSubscription(view, subjectId, { ...one, status: "ended", endedAt: now, secrets: [], places: {} });
  }
  return {};
}
