// Zod schemas for the queries of the event-subscription calls.
import { z } from "zod";
import { EVENTS, NAME_MAX, PAGE } from "./limits.ts";
import { timestamp } from "./timestamp.ts";

const name = z.string().min(1).max(NAME_MAX);
const url = z.string().min(1).max(EVENTS.urlMax);
const streams = z
  .array(z.strictObject({ stream: name, connection_id: name.optional() }))
  .min(1)
  .max(EVENTS.streamsMax);

export const subscriptionCreate = z.strictObject({
  url,
  /** Absent means every stream that the grant shows. */
  streams: streams.optional(),
  /** `whsec_` and base64. If absent, a secret is generated. */
  secret: z.string().min(1).max(200).optional(),
  /** Only the owner passes the grant; for an app it is known from the token. */
  grant_id: name.optional(),
});

export const subscriptionChange = z.strictObject({
  id: name,
  url: url.optional(),
  /** Null means every stream that the grant shows. */
  streams: streams.nullable().optional(),
  status: z.enum(["active", "paused"]).optional(),
});

export const subscriptionsQuery = z.strictObject({ grant_id: name.optional() });

export const replayRequest = z.strictObject({
  id: name,
  event_id: name.optional(),
  /** Replays every event since this time. */
  since: timestamp.optional(),
});

export const deliveriesQuery = z.strictObject({
  id: name,
  status: z.enum(["waiting", "delivered", "failed"]).optional(),
  limit: z.int().min(1).max(PAGE.max).optional(),
  cursor: z.string().max(2000).optional(),
});

/** A private address, `HOST:PORT`, that one app's events may be sent to. */
export const eventHostRef = z.strictObject({
  host: z.string().min(1).max(300),
  client_id: z.string().min(1).max(2048),
});

/** How far the server has checked a stream, and whether it found a change. */
const finding = z.strictObject({
  subscription_id: name,
  connection_id: name,
  stream: name,
  grant_id: name,
  /** The range of feed versions that was checked. */
  from: z.int().min(0),
  to: z.int().min(0),
  /** True if something visible under the grant changed in that range. */
  found: z.boolean(),
});
export const changesNoted = z.strictObject({ findings: z.array(finding) });

/** The event to send and its destination, for the server that delivers it. */
export const eventToSend = z.strictObject({ id: name, origin: z.string().max(300) });
export const eventIds = z.strictObject({ ids: z.array(name) });

/** The result of a delivery attempt, as reported by the server that made it. */
const outcome = z.strictObject({
  /** The receiver's HTTP status; absent if there was no response. */
  status: z.int().optional(),
  /** Why there was no response, or why the response was not accepted. */
  error: z.string().max(300).optional(),
  milliseconds: z.int().min(0),
  retry_after_seconds: z.int().min(0).optional(),
  /** The beginning of the receiver's response to a challenge. */
  answer: z.string().max(EVENTS.answerBytes).optional(),
});
export const deliveryNoted = z.strictObject({
  id: name,
  /** The feed version when the attempt started. The receiver can read at least up to this version. */
  covers: z.int().min(0),
  outcome,
});

export type SubscriptionCreate = z.infer<typeof subscriptionCreate>;
export type SubscriptionChange = z.infer<typeof subscriptionChange>;
export type ReplayRequest = z.infer<typeof replayRequest>;
export type DeliveriesQuery = z.infer<typeof deliveriesQuery>;
export type EventHostRef = z.infer<typeof eventHostRef>;
export type Finding = z.infer<typeof finding>;
export type DeliveryOutcome = z.infer<typeof outcome>;
