// Events that a caller requests: the challenge for an address, and test events.
import { randomBytes } from "node:crypto";
import { PdppError } from "../../contract/errors.ts";
import type { EventDelivery } from "../../contract/event-answers.ts";
import { newId } from "../../contract/ids.ts";
import { EVENTS } from "../../contract/limits.ts";
import { EVENTS_PATH } from "../../core/event-capabilities.ts";
import type { WriteContext } from "../calls/define.ts";
import { ownSubscription, requireHolder } from "./holder.ts";
import { deliveryOf } from "./log.ts";
import {
  dropEvent,
  finishedEvents,
  putSubscription,
  putWaiting,
  type StoredEvent,
  type Subscription,
  waitingEvents,
} from "./stored.ts";

const MINUTE_MS = 60_000;

/** Challenges the address again. A pending challenge is replaced. */
export async function queueChallenge(context: WriteContext, one: Subscription): Promise<StoredEvent> {
  const { view, caller } = context;
  for (const event of await waitingEvents(view, caller.subjectId, one.id))
    if (event.type === "challenge") await dropEvent(view, caller.subjectId, event.id);
  return queue(context, one, "challenge", randomBytes(24).toString("base64url"));
}

async function queue(
  { view, caller, now }: WriteContext,
  { id }: Subscription,
  type: "challenge" | "test",
  challenge?: string,
): Promise<StoredEvent> {
  const event: StoredEvent = {
    id: newId("event"),
    subscriptionId: id,
    createdAt: now,
    dueAt: now,
    type,
    ...(challenge === undefined ? {} : { challenge }),
    tries: 0,
    attempts: [],
  };
  await putWaiting(view, caller.subjectId, event);
  return event;
}

export async function verifySubscription(context: WriteContext, { id }: { id: string }): Promise<EventDelivery> {
  const { view, caller } = context;
  const one = await askable(context, id);
  if (one.status === "paused") throw notNow(id, "it is paused");
  // An active subscription keeps working while it is challenged again.
  if (one.status === "disabled") {
    const { reason: _reason, failing: _failing, ...rest } = one;
    await putSubscription(view, caller.subjectId, { ...rest, status: "pending" });
  }
  return deliveryOf(await queueChallenge(context, one), caller, context.now);
}

export async function testSubscription(context: WriteContext, { id }: { id: string }): Promise<EventDelivery> {
  const one = await askable(context, id);
  if (one.status !== "active") {
    const why = one.status === "pending" ? "its address has not answered the challenge yet" : `it is ${one.status}`;
    throw notNow(id, why);
  }
  return deliveryOf(await queue(context, one, "test"), context.caller, context.now);
}

/** Each challenge or test is a request to an address that an app chose, so their number is limited. */
async function askable({ view, caller, now }: WriteContext, id: string): Promise<Subscription> {
  const one = await ownSubscription(view, caller, id);
  await requireHolder(view, caller, one, now);
  const events = [
    ...(await waitingEvents(view, caller.subjectId, id)),
    ...(await finishedEvents(view, caller.subjectId, id)),
  ];
  const lately = events.filter(({ type, createdAt }) => type !== "change" && Math.abs(now - createdAt) < MINUTE_MS);
  if (lately.length >= EVENTS.askedPerMinute) {
    throw new PdppError(
      "rate_limit_exceeded",
      `${lately.length} challenges and test events were sent within a minute, which is the limit`,
      {
        next_step: "Wait a minute.",
      },
    );
  }
  return one;
}

function notNow(id: string, why: string): PdppError {
  return new PdppError("invalid_request", `nothing is sent for this subscription now: ${why}`, {
    next_step: why.includes("challenge")
      ? `Make the address answer the challenge, then POST ${EVENTS_PATH}/${id}/verify to have it sent again; GET ${EVENTS_PATH}/capabilities describes how.`
      : `PATCH ${EVENTS_PATH}/${id} {"status":"active"} resumes it.`,
  });
}
