// Subscriptions and events as items in the store.
import { PdppError } from "../../contract/errors.ts";
import type { JsonValue } from "../../contract/record.ts";
import type { EventType } from "../../core/cloud-event.ts";
import type { ItemRow } from "../../store/rows.ts";
import type { ReadView, WriteView } from "../../store/store.ts";

/**
 * `waiting` events have yet to be sent. `finished` events were delivered or abandoned, and are kept for the log and for
 * replays. `removed` subscriptions were deleted by the owner, and are kept for as long as the deletion can be undone.
 */
const KINDS = {
  subscription: "subscription",
  removed: "subscription-removed",
  waiting: "event",
  finished: "event-told",
} as const;

export interface FeedPosition {
  /** Changes after this version are not yet covered by a delivered event. */
  since: number;
  /** Changes after this version have not been checked yet. */
  seen: number;
}

export interface Subscription {
  id: string;
  /** The grant or package that the subscription belongs to, and ends with. */
  holder: string;
  createdAt: number;
  url: string;
  /** Absent if the subscription covers everything that the grant shows. */
  streams?: { stream: string; connection_id?: string }[];
  status: "pending" | "active" | "paused" | "disabled" | "ended";
  reason?: { code: "gone" | "failing" | "grant_ended"; message: string };
  /** Sealed, with the current secret first. Each older secret also signs events until it expires. */
  secrets: { sealed: string; until?: number }[];
  /** The feed's version when the subscription was created. Streams without their own position start here. */
  from: number;
  places: Record<string, FeedPosition>;
  verifiedAt?: number;
  endedAt?: number;
  deliveredAt?: number;
  failure?: { at: number; error: string };
  /** The number of days with failed attempts since the last success. */
  failing?: { days: number; lastDay: number };
}

export interface Attempt {
  at: number;
  status?: number;
  error?: string;
  milliseconds: number;
}

export interface StoredEvent {
  id: string;
  subscriptionId: string;
  createdAt: number;
  /** Null if the event is on hold. */
  dueAt: number | null;
  type: EventType;
  connectionId?: string;
  stream?: string;
  grantId?: string;
  /** Sealed for the grant. The app continues reading from this token. */
  changesSince?: string;
  challenge?: string;
  tries: number;
  firstTryAt?: number;
  attempts: Attempt[];
  /** Set once the event is no longer waiting. */
  end?: { status: "delivered" | "failed"; at: number };
}

export const placeKey = (connectionId: string, stream: string): string => `${connectionId}/${stream}`;

export const placeOf = ({ places, from }: Subscription, key: string): FeedPosition =>
  places[key] ?? { since: from, seen: from };

export async function subscriptions(view: ReadView, subjectId: string): Promise<Subscription[]> {
  return (await view.items(subjectId, KINDS.subscription)).map(subscriptionFrom);
}

export async function subscriptionsOf(view: ReadView, subjectId: string, holder: string): Promise<Subscription[]> {
  return (await view.items(subjectId, KINDS.subscription, { holder })).map(subscriptionFrom);
}

export async function subscription(view: ReadView, subjectId: string, id: string): Promise<Subscription | undefined> {
  const item = await view.item(subjectId, KINDS.subscription, id);
  return item && subscriptionFrom(item);
}

export async function putSubscription(view: WriteView, subjectId: string, one: Subscription): Promise<void> {
  await view.putItem(subjectId, subscriptionItem(KINDS.subscription, one, null));
}

/** Deletes a subscription with all its waiting and finished events. */
export async function dropSubscription(view: WriteView, subjectId: string, id: string): Promise<void> {
  await dropWaiting(view, subjectId, id);
  await view.deleteItems(subjectId, KINDS.finished, id);
  await view.deleteItem(subjectId, KINDS.subscription, id);
  await view.deleteItem(subjectId, KINDS.removed, id);
}

/** Sets a subscription aside with its events, so that it is not listed and nothing is sent. */
export async function setAsideSubscription(
  view: WriteView,
  subjectId: string,
  one: Subscription,
  until: number,
): Promise<void> {
  await view.deleteItem(subjectId, KINDS.subscription, one.id);
  await view.putItem(subjectId, subscriptionItem(KINDS.removed, one, until));
}

/** Restores a subscription that was set aside. Returns undefined if it is too late. */
export async function restoreSubscriptionSetAside(
  view: WriteView,
  subjectId: string,
  id: string,
  now: number,
): Promise<Subscription | undefined> {
  const item = await view.item(subjectId, KINDS.removed, id);
  if (item === undefined || now > item.dueAt!) return undefined;
  const one = subscriptionFrom(item);
  await view.deleteItem(subjectId, KINDS.removed, id);
  await putSubscription(view, subjectId, one);
  return one;
}

/** Ids of removals that can no longer be undone. */
export async function expiredRemovals(view: ReadView, subjectId: string, now: number): Promise<string[]> {
  return (await view.items(subjectId, KINDS.removed)).flatMap(({ id, dueAt }) => (now > dueAt! ? [id] : []));
}

/** Sorted newest first. */
export async function waitingEvents(view: ReadView, subjectId: string, subscriptionId: string): Promise<StoredEvent[]> {
  return (await view.items(subjectId, KINDS.waiting, { holder: subscriptionId })).map(eventFrom);
}

export async function finishedEvents(
  view: ReadView,
  subjectId: string,
  subscriptionId: string,
): Promise<StoredEvent[]> {
  return (await view.items(subjectId, KINDS.finished, { holder: subscriptionId })).map(eventFrom);
}

/** All waiting events, ordered by due time. */
export async function dueEvents(view: ReadView, subjectId: string): Promise<StoredEvent[]> {
  return (await view.dueItems(subjectId, KINDS.waiting, Number.MAX_SAFE_INTEGER, DUE_MAX)).map(eventFrom);
}

/**
 * The waiting events of all subscriptions together cannot exceed this number, because each subscription has at most one
 * per stream.
 */
const DUE_MAX = 20_000;

export async function waitingEvent(view: ReadView, subjectId: string, id: string): Promise<StoredEvent | undefined> {
  const item = await view.item(subjectId, KINDS.waiting, id);
  return item && eventFrom(item);
}

export async function putWaiting(view: WriteView, subjectId: string, event: StoredEvent): Promise<void> {
  await view.putItem(subjectId, itemOf(KINDS.waiting, event, event.dueAt));
}

/** Moves the event from the waiting events to the log. */
export async function putFinished(view: WriteView, subjectId: string, event: StoredEvent): Promise<void> {
  await view.deleteItem(subjectId, KINDS.waiting, event.id);
  await view.putItem(subjectId, itemOf(KINDS.finished, event, null));
}

/** Moves the event back to the waiting events, under the same id. */
export async function putBack(view: WriteView, subjectId: string, event: StoredEvent): Promise<void> {
  await view.deleteItem(subjectId, KINDS.finished, event.id);
  await putWaiting(view, subjectId, event);
}

export async function dropEvent(view: WriteView, subjectId: string, id: string): Promise<void> {
  await view.deleteItem(subjectId, KINDS.waiting, id);
}

export async function forgetFinished(view: WriteView, subjectId: string, id: string): Promise<void> {
  await view.deleteItem(subjectId, KINDS.finished, id);
}

export async function dropWaiting(view: WriteView, subjectId: string, subscriptionId: string): Promise<void> {
  await view.deleteItems(subjectId, KINDS.waiting, subscriptionId);
}

const json = (body: object): JsonValue => body as unknown as JsonValue;

function subscriptionFrom({ id, holder, createdAt, body }: ItemRow): Subscription {
  if (holder === null) throw new PdppError("api_error", `the subscription ${id} has no grant`);
  return { id, holder, createdAt, ...(body as unknown as Omit<Subscription, "id" | "holder" | "createdAt">) };
}

function subscriptionItem(kind: string, one: Subscription, dueAt: number | null): ItemRow {
  const { id, holder, createdAt, ...body } = one;
  return { kind, id, holder, createdAt, dueAt, body: json(body) };
}

function itemOf(kind: string, event: StoredEvent, dueAt: number | null): ItemRow {
  const { id, subscriptionId, createdAt, dueAt: _due, ...body } = event;
  return { kind, id, holder: subscriptionId, createdAt, dueAt, body: json(body) };
}

const eventFrom = ({ id, holder, createdAt, dueAt, body }: ItemRow): StoredEvent => ({
  id,
  subscriptionId: holder!,
  createdAt,
  dueAt,
  ...(body as unknown as Omit<StoredEvent, "id" | "subscriptionId" | "createdAt" | "dueAt">),
});
