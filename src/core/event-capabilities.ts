// This server's event capabilities: the one place that describes how events are signed and delivered (F-06).
import type { EventCapabilities } from "../contract/event-answers.ts";
import { EVENTS } from "../contract/limits.ts";
import { EVENT_CONTENT_TYPE, EVENT_TYPES } from "./cloud-event.ts";

export const EVENTS_PATH = "/v1/event-subscriptions";
export const CAPABILITIES_PATH = `${EVENTS_PATH}/capabilities`;

const seconds = (milliseconds: number): number => milliseconds / 1000;

const DATA = {
  subscription_id: "the subscription that the event is sent for",
  grant_id: "the grant that covers the stream",
  connection_id: "the stream's connection",
  stream: "the stream that changed",
  changes_since: "the token to read from: every later change is new to this subscription",
  records_url: "the call that reads the changes; make it with the grant's own token",
};

export const eventCapabilities = (): EventCapabilities => ({
  object: "event_capabilities",
  subscriptions: EVENTS_PATH,
  event_types: [
    {
      type: EVENT_TYPES.change,
      when: "something that the grant covers was added, changed or deleted in a stream",
      data: DATA,
    },
    {
      type: EVENT_TYPES.challenge,
      when: "a subscription was created, its address changed, or POST …/verify was called",
      data: { subscription_id: DATA.subscription_id, challenge: "the text that the response must repeat" },
    },
    {
      type: EVENT_TYPES.test,
      when: "POST …/test-event was called",
      data: { subscription_id: DATA.subscription_id },
    },
  ],
  format: {
    name: "CloudEvents, structured JSON",
    specversion: "1.0",
    content_type: EVENT_CONTENT_TYPE,
    method: "POST",
  },
  signing: {
    name: "Standard Webhooks",
    algorithm: "HMAC-SHA256, base64",
    signed_content: "webhook-id + '.' + webhook-timestamp + '.' + the raw body",
    headers: {
      "webhook-id": "the event's id, the same for every attempt",
      "webhook-timestamp": "the time of this attempt, in seconds since 1970",
      "webhook-signature":
        "v1,SIGNATURE; while a secret is being replaced, several separated by spaces: one match is enough",
    },
    secret: "whsec_ followed by base64; the key is the decoded base64. Shown once, when it is created",
    rotation: `POST …/rotate-secret; for ${EVENTS.oldSecretMs / 3_600_000} hours events are signed with both secrets`,
    tolerance: "refuse a webhook-timestamp more than five minutes from your clock",
  },
  challenge: {
    request: `an event of type ${EVENT_TYPES.challenge} with data.challenge`,
    answer: '2xx with {"challenge": "the same text"}; until then nothing else is sent',
    tries: EVENTS.challengeTries,
  },
  delivery: {
    guarantee: "at least once, with the same id; events for different streams can arrive in any order",
    success: "any 2xx within the timeout; the body is ignored; redirects are not followed and count as failures",
    timeout_seconds: seconds(EVENTS.timeoutMs),
    retries_seconds: EVENTS.retriesMs.map(seconds),
    tried_for_seconds: seconds(EVENTS.triedForMs),
    retry_after: "honoured with 429 and 503, up to the longest of retries_seconds",
    gone: "410 disables the subscription at once; PATCH status active verifies the address again",
    dead_letters: `failed events are kept for replay: the last ${EVENTS.remembered}, for ${EVENTS.rememberedMs / 86_400_000} days`,
    disabled: `after ${EVENTS.failingDays} days with failures and no success`,
    coalescing:
      "while an event for a stream is waiting, no second one is created: its changes_since covers later changes too",
    ends: "at once when the grant ends; waiting events are not sent",
  },
  addresses:
    "https to a public host name on any port; no address literals, credentials or fragments. The owner can allow an app a private address: `pdpp events allow HOST:PORT --app CLIENT`",
  limits: {
    subscriptions_per_grant: EVENTS.perGrant,
    url_characters: EVENTS.urlMax,
    streams_named: EVENTS.streamsMax,
    secret_bytes_min: EVENTS.secretBytes.min,
    secret_bytes_max: EVENTS.secretBytes.max,
    tests_and_challenges_per_minute: EVENTS.askedPerMinute,
  },
  example: {
    headers: {
      "content-type": EVENT_CONTENT_TYPE,
      "webhook-id": "evt_2b7d0Wq1pJr8c6TQ9xYz",
      "webhook-timestamp": "1767225600",
      "webhook-signature": "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
    },
    body: {
      specversion: "1.0",
      id: "evt_2b7d0Wq1pJr8c6TQ9xYz",
      source: "https://data.example.org",
      type: EVENT_TYPES.change,
      subject: "cin_4f1a/messages",
      time: "2026-01-01T00:00:00.000Z",
      datacontenttype: "application/json",
      data: {
        subscription_id: "sub_9c2e",
        grant_id: "grt_7a10",
        connection_id: "cin_4f1a",
        stream: "messages",
        changes_since: "AXk3…",
        records_url: "https://data.example.org/v1/streams/messages/records?connection_id=cin_4f1a&changes_since=AXk3…",
      },
    },
  },
  calls: [
    ["POST", EVENTS_PATH, "subscribe: {url, streams?, secret?}; the secret is shown here and never again"],
    ["GET", EVENTS_PATH, "the subscriptions of this grant"],
    ["GET", `${EVENTS_PATH}/{id}`, "one subscription"],
    [
      "PATCH",
      `${EVENTS_PATH}/{id}`,
      "change the url (it is verified again) or the streams, pause or resume: {status: paused | active}",
    ],
    ["DELETE", `${EVENTS_PATH}/{id}`, "end the subscription"],
    ["POST", `${EVENTS_PATH}/{id}/verify`, "send the challenge again"],
    ["POST", `${EVENTS_PATH}/{id}/test-event`, "send a test event, once"],
    ["POST", `${EVENTS_PATH}/{id}/rotate-secret`, "create a new secret"],
    ["POST", `${EVENTS_PATH}/{id}/replay`, "send events again: {event_id} or {since}"],
    ["GET", `${EVENTS_PATH}/{id}/deliveries`, "the delivery log, newest first"],
  ].map(([method, path, does]) => ({ method: method!, path: path!, does: does! })),
});
