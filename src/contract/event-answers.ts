// Responses about event subscriptions: the subscription, its log, allowed hosts, and the server's capabilities.
import { z } from "zod";
import { count } from "./list.ts";
import { timestamp } from "./timestamp.ts";

const namedStream = z.strictObject({ stream: z.string(), connection_id: z.string().optional() });

export const eventSubscription = z.strictObject({
  object: z.literal("event_subscription"),
  subscription_id: z.string(),
  /** The grant or package that the subscription belongs to. */
  grant_id: z.string().optional(),
  grant_package_id: z.string().optional(),
  client_id: z.string().optional(),
  client_name: z.string().optional(),
  url: z.string(),
  /** Absent if the subscription covers every stream that the grant shows. */
  streams: z.array(namedStream).optional(),
  /** `pending` means that the URL has not answered its challenge yet; `ended` means that the grant has ended. */
  status: z.enum(["pending", "active", "paused", "disabled", "ended"]),
  /** Why the subscription is not active, if neither the owner nor the app stopped it. */
  reason: z.strictObject({ code: z.enum(["gone", "failing", "grant_ended"]), message: z.string() }).optional(),
  created_at: timestamp,
  verified_at: timestamp.optional(),
  /** Until this time, events are also signed with the previous secret. */
  old_secret_until: timestamp.optional(),
  last_delivered_at: timestamp.optional(),
  waiting: count,
  dead_letters: count,
  /** Shown only to the owner, because an app could probe a private network with it (G-09). */
  last_failure: z.strictObject({ at: timestamp, error: z.string() }).optional(),
  next_try_at: timestamp.optional(),
});

/** The secret is returned only here and never again. */
export const createdSubscription = eventSubscription.extend({ secret: z.string() });

export const eventDelivery = z.strictObject({
  object: z.literal("event_delivery"),
  /** Also the webhook-id of every attempt. */
  event_id: z.string(),
  subscription_id: z.string(),
  type: z.string(),
  connection_id: z.string().optional(),
  stream: z.string().optional(),
  /** A `failed` event is a dead letter, which can be replayed as long as it is stored. */
  status: z.enum(["waiting", "delivered", "failed"]),
  created_at: timestamp,
  delivered_at: timestamp.optional(),
  /**
   * The fields from here on are shown only to the owner, because an app could probe a private network with them (G-09).
   */
  tries: count.optional(),
  next_try_at: timestamp.optional(),
  /** The most recent attempts. */
  attempts: z
    .array(
      z.strictObject({
        at: timestamp,
        /** The receiver's HTTP status. */
        status: z.int().optional(),
        error: z.string().optional(),
        milliseconds: count,
      }),
    )
    .optional(),
});

export const eventReplay = z.strictObject({
  object: z.literal("event_replay"),
  subscription_id: z.string(),
  event_ids: z.array(z.string()),
});

export const eventHost = z.strictObject({
  object: z.literal("event_host"),
  /** `HOST:PORT` */
  host: z.string(),
  /** The app whose events may be sent to this host. */
  client_id: z.string(),
  client_name: z.string().optional(),
  allowed_at: timestamp,
});

export const eventHostRemoved = z.strictObject({
  object: z.literal("event_host_removed"),
  host: z.string(),
  client_id: z.string(),
});

export const eventCapabilities = z.strictObject({
  object: z.literal("event_capabilities"),
  subscriptions: z.string(),
  event_types: z.array(z.strictObject({ type: z.string(), when: z.string(), data: z.record(z.string(), z.string()) })),
  format: z.strictObject({ name: z.string(), specversion: z.string(), content_type: z.string(), method: z.string() }),
  signing: z.strictObject({
    name: z.string(),
    algorithm: z.string(),
    signed_content: z.string(),
    headers: z.record(z.string(), z.string()),
    secret: z.string(),
    rotation: z.string(),
    tolerance: z.string(),
  }),
  challenge: z.strictObject({ request: z.string(), answer: z.string(), tries: count }),
  delivery: z.strictObject({
    guarantee: z.string(),
    success: z.string(),
    timeout_seconds: count,
    retries_seconds: z.array(count),
    tried_for_seconds: count,
    retry_after: z.string(),
    gone: z.string(),
    dead_letters: z.string(),
    disabled: z.string(),
    coalescing: z.string(),
    ends: z.string(),
  }),
  addresses: z.string(),
  limits: z.record(z.string(), count),
  example: z.strictObject({ headers: z.record(z.string(), z.string()), body: z.record(z.string(), z.unknown()) }),
  calls: z.array(z.strictObject({ method: z.string(), path: z.string(), does: z.string() })),
});

export type EventSubscription = z.infer<typeof eventSubscription>;
export type CreatedSubscription = z.infer<typeof createdSubscription>;
export type EventDelivery = z.infer<typeof eventDelivery>;
export type EventReplay = z.infer<typeof eventReplay>;
export type EventHost = z.infer<typeof eventHost>;
export type EventHostRemoved = z.infer<typeof eventHostRemoved>;
export type EventCapabilities = z.infer<typeof eventCapabilities>;
