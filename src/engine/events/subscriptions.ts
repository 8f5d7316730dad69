// Event subscriptions. They are created, read, changed and ended by the app whose grant they belong to, or by the
// owner.
import type { KeyObject } from "node:crypto";
import { PdppError } from "../../contract/errors.ts";
import type { CreatedSubscription, EventSubscription } from "../../contract/event-answers.ts";
import type { SubscriptionChange, SubscriptionCreate } from "../../contract/event-requests.ts";
import { ID_PREFIX, newId } from "../../contract/ids.ts";
import { EVENTS, UNDO_REVOKE_MS } from "../../contract/limits.ts";
import { EVENTS_PATH } from "../../core/event-capabilities.ts";
import { isDue } from "../../core/event-retries.ts";
import { isOwner, noStream, rowsOf, type Scope } from "../../core/scope.ts";
import { sealSecrets } from "../../core/sealed-secrets.ts";
import { checkedSecret, newSecret } from "../../core/webhook-signature.ts";
import { webhookUrl } from "../../core/webhook-url.ts";
import type { ReadView } from "../../store/store.ts";
import type { Caller } from "../caller.ts";
import type { MethodContext, WriteContext } from "../calls/define.ts";
import { type Answer, listJson } from "../read/context.ts";
import { allowedAddresses, convertHostWide } from "./allowances.ts";
import { clientOf, grantRows, holderOf, isOwn, newHolder, ownSubscription, requireHolder } from "./holder.ts";
import { shownStatus } from "./log.ts";
import { queueChallenge } from "./requested-events.ts";
import {
  dropSubscription,
  finishedEvents,
  putSubscription,
  putWaiting,
  restoreSubscriptionSetAside,
  type Subscription,
  setAsideSubscription,
  subscriptions,
  subscriptionsOf,
  waitingEvents,
} from "./stored.ts";

const REASONS = {
  ended: { code: "grant_ended", message: "the grant that it belonged to has ended" },
  /** An app is not told how its address responded. */
  disabled: { code: "failing", message: "its address did not accept events" },
} as const;

export async function createSubscription(
  context: WriteContext,
  { url, streams, secret: brought, grant_id }: SubscriptionCreate,
): Promise<CreatedSubscription> {
  const { view, caller, key, now } = context;
  const { subjectId } = caller;
  const holder = await newHolder(view, caller, grant_id, now);
  await convertHostWide(view, subjectId);
  const address = webhookUrl(url, await allowedAddresses(view, subjectId, clientOf(holder))).href;
  requireStreams(streams, holder.scope);
  const secret = brought === undefined ? newSecret() : checkedSecret(brought);
  await requireRoom(view, caller, holder.id);
  const id = newId("subscription");
  const made: Subscription = {
    id,
    holder: holder.id,
    createdAt: now,
    url: address,
    ...(streams === undefined ? {} : { streams }),
    status: "pending",
    secrets: [{ sealed: sealSecret(key, id, secret) }],
    // Apps read existing data with changes_since=beginning; events announce later changes.
    from: await view.version(),
    places: {},
  };
  await putSubscription(view, subjectId, made);
  await queueChallenge(context, made);
  return { ...(await subscriptionRead(view, caller, made, now)), secret };
}

const sealSecret = (key: KeyObject, id: string, secret: string): string => sealSecrets(key, id, { secret });

/** Each entry must match a stream that the grant shows, because a typo must not silently result in no events. */
function requireStreams(streams: SubscriptionCreate["streams"], scope: Scope): void {
  for (const { stream, connection_id } of streams ?? []) {
    const rows = rowsOf(scope, connection_id);
    if (!rows.some((row) => row.stream.name === stream)) throw noStream(scope, stream, connection_id, "streams");
  }
}

async function requireRoom(view: ReadView, { subjectId }: Caller, holder: string): Promise<void> {
  const own = await subscriptionsOf(view, subjectId, holder);
  if (own.length >= EVENTS.perGrant) {
    throw new PdppError("resource_limit", `this grant has ${own.length} subscriptions, which is the limit`, {
      next_step: `Remove one that is no longer needed: DELETE ${EVENTS_PATH}/${own.at(-1)!.id}`,
    });
  }
  if ((await subscriptions(view, subjectId)).length >= EVENTS.inAll)
    throw new PdppError("resource_limit", `there are ${EVENTS.inAll} subscriptions here, which is the limit`, {
      next_step: "The owner can remove some: `pdpp events list`, `pdpp events delete ID`.",
    });
}

export async function readSubscriptions(
  { view, caller, now }: MethodContext,
  { grant_id }: { grant_id?: string },
): Promise<Answer> {
  const all = (await subscriptions(view, caller.subjectId)).filter(
    (one) => isOwn(caller, one) && (grant_id === undefined || one.holder === grant_id),
  );
  const items: string[] = [];
  for (const one of all) items.push(JSON.stringify(await subscriptionRead(view, caller, one, now)));
  const self = grant_id === undefined ? EVENTS_PATH : `${EVENTS_PATH}?grant_id=${encodeURIComponent(grant_id)}`;
  return { body: listJson({ url: EVENTS_PATH, self, items, hasMore: false }), records: 0, reads: [] };
}

export async function readSubscription({ view, caller, now }: MethodContext, { id }: { id: string }): Promise<Answer> {
  const found = await ownSubscription(view, caller, id);
  return { body: JSON.stringify(await subscriptionRead(view, caller, found, now)), records: 0, reads: [] };
}

export async function changeSubscription(
  context: WriteContext,
  { id, url, streams, status }: SubscriptionChange,
): Promise<EventSubscription> {
  const { view, caller, now } = context;
  const { subjectId } = caller;
  const before = await ownSubscription(view, caller, id);
  const holder = await requireHolder(view, caller, before, now);
  let next: Subscription = { ...before };
  if (streams === null) delete next.streams;
  else if (streams !== undefined) {
    requireStreams(streams, holder.scope);
    next.streams = streams;
  }
  await convertHostWide(view, subjectId);
  const allowed = await allowedAddresses(view, subjectId, clientOf(holder));
  const address = url === undefined ? before.url : webhookUrl(url, allowed).href;
  // A new address, or one whose subscription was disabled, is challenged before anything else is sent to it.
  const isNewAddress = address !== before.url || (status === "active" && before.status === "disabled");
  if (isNewAddress) {
    const { reason: _reason, failing: _failing, ...rest } = next;
    next = { ...rest, url: address, status: "pending" };
  } else if (status === "paused" && before.status !== "disabled") next.status = "paused";
  else if (status === "active" && before.status === "paused")
    next.status = before.verifiedAt === undefined ? "pending" : "active";
  await putSubscription(view, subjectId, next);
  if (isNewAddress) await queueChallenge(context, next);
  await holdOrRelease(context, next);
  return subscriptionRead(view, caller, next, now);
}

/** Schedules waiting events once they may be sent, and holds them until then. */
export async function holdOrRelease(
  { view, caller, now }: Pick<WriteContext, "view" | "caller" | "now">,
  { id, status }: Pick<Subscription, "id" | "status">,
): Promise<void> {
  for (const event of await waitingEvents(view, caller.subjectId, id)) {
    const open = status === "active" || (status === "pending" && event.type === "challenge");
    if (open === (event.dueAt !== null)) continue;
    await putWaiting(view, caller.subjectId, { ...event, dueAt: open ? now : null });
  }
}

/** The owner can undo this for a minute. An app cannot, but it can subscribe again. */
export async function deleteSubscription(context: WriteContext, { id }: { id: string }) {
  const { view, caller, now } = context;
  const one = await ownSubscription(view, caller, id);
  if (isOwner(caller.scope)) {
    await holdOrRelease(context, { id, status: "paused" });
    await setAsideSubscription(view, caller.subjectId, one, now + UNDO_REVOKE_MS);
  } else await dropSubscription(view, caller.subjectId, id);
  return {};
}

/** Undoes a removal by the owner. Waiting events are then sent, and changes made in the meantime are reported. */
export async function restoreSubscription(context: WriteContext, { id }: { id: string }): Promise<EventSubscription> {
  const { view, caller, now } = context;
  const one = await restoreSubscriptionSetAside(view, caller.subjectId, id, now);
  if (one === undefined) {
    throw new PdppError("invalid_request", `you did not delete ${id} within the last minute`, {
      param: "id",
      next_step: "The app can subscribe again.",
    });
  }
  await requireHolder(view, caller, one, now);
  await holdOrRelease(context, one);
  return subscriptionRead(view, caller, one, now);
}

export async function rotateSecret(context: WriteContext, { id }: { id: string }): Promise<CreatedSubscription> {
  const { view, caller, key, now } = context;
  const before = await ownSubscription(view, caller, id);
  await requireHolder(view, caller, before, now);
  const secret = newSecret();
  const [present, ...older] = before.secrets;
  const still = older.filter(({ until }) => until! > now);
  const next: Subscription = {
    ...before,
    secrets: [
      { sealed: sealSecret(key, id, secret) },
      { ...present!, until: now + EVENTS.oldSecretMs },
      ...still.slice(0, EVENTS.oldSecretsMax - 1),
    ],
  };
  await putSubscription(view, caller.subjectId, next);
  return { ...(await subscriptionRead(view, caller, next, now)), secret };
}

const instant = (at: number): string => new Date(at).toISOString();

/** The public form of a subscription, without its secrets or its feed position. */
async function subscriptionRead(
  view: ReadView,
  caller: Caller,
  one: Subscription,
  now: number,
): Promise<EventSubscription> {
  const { id, holder, url, streams, createdAt, verifiedAt, deliveredAt, failure } = one;
  const rows = await grantRows(view, holder);
  const client = rows[0]?.grant.client;
  const alive = one.status !== "ended" && (await holderOf(view, caller, holder, now)) !== undefined;
  const status = alive ? one.status : "ended";
  const forOwner = isOwner(caller.scope);
  const reason = alive ? one.reason && (forOwner ? one.reason : REASONS.disabled) : REASONS.ended;
  const waiting = alive ? await waitingEvents(view, caller.subjectId, id) : [];
  const past = await finishedEvents(view, caller.subjectId, id);
  const dead = past.filter((event) => event.type === "change" && shownStatus(event, caller, now) === "failed");
  const unsettled = alive ? past.filter((event) => shownStatus(event, caller, now) === "waiting") : [];
  const due = waiting.flatMap(({ dueAt }) => dueAt ?? []);
  const next = due.length === 0 ? undefined : due.some((at) => isDue(at, now)) ? now : Math.min(...due);
  const untils = one.secrets.flatMap(({ until }) => (until !== undefined && until > now ? [until] : []));
  return {
    object: "event_subscription",
    subscription_id: id,
    ...(holder.startsWith(ID_PREFIX.package) ? { grant_package_id: holder } : { grant_id: holder }),
    ...(client === undefined ? {} : { client_id: client.client_id }),
    ...(client?.client_display?.name === undefined ? {} : { client_name: client.client_display.name }),
    url,
    ...(streams === undefined ? {} : { streams }),
    status,
    ...(reason === undefined ? {} : { reason }),
    created_at: instant(createdAt),
    ...(verifiedAt === undefined ? {} : { verified_at: instant(verifiedAt) }),
    ...(untils.length === 0 ? {} : { old_secret_until: instant(Math.max(...untils)) }),
    ...(deliveredAt === undefined ? {} : { last_delivered_at: instant(deliveredAt) }),
    waiting: waiting.length + unsettled.length,
    dead_letters: dead.length,
    ...(failure === undefined || !forOwner ? {} : { last_failure: { at: instant(failure.at), error: failure.error } }),
    ...(next === undefined || !forOwner ? {} : { next_try_at: instant(next) }),
  };
}
