// Engine calls for event subscriptions. An app sees its own subscriptions under its grant; the owner sees all of them.
// They are never /mcp tools (F-06).
import * as requested from "../../contract/event-requests.ts";
import * as requests from "../../contract/write.ts";
import { CAPABILITIES_PATH, EVENTS_PATH, eventCapabilities } from "../../core/event-capabilities.ts";
import * as delivery from "../events/delivery.ts";
import { lookForChanges, noteChanges } from "../events/detect.ts";
import { allowHost, disallowHost, readHosts } from "../events/hosts.ts";
import { readDeliveries, replayEvents } from "../events/log.ts";
import { testSubscription, verifySubscription } from "../events/requested-events.ts";
import * as subscriptions from "../events/subscriptions.ts";
import { ownerRead, ownerWrite, read, systemRead, systemWrite, unlogged, write } from "./define.ts";

const ONE = `${EVENTS_PATH}/{id}`;
/** The names that the reference's adapter uses (C-08). */
const REFERENCE_NAMES = { callback_url: "url" };

export const EVENT_CALLS = {
  /** The same for every caller; it reveals nothing about grants. */
  eventCapabilities: read({
    query: requests.nothing,
    answer: "EventCapabilities",
    open: true,
    route: { method: "GET", path: CAPABILITIES_PATH, summary: "The event features that this server supports" },
    run: async () => unlogged(eventCapabilities()),
  }),
  eventSubscriptions: read({
    query: requested.subscriptionsQuery,
    answer: "EventSubscriptionList",
    route: { method: "GET", path: EVENTS_PATH, summary: "This grant's event subscriptions; the owner sees all" },
    words: "Listed event subscriptions",
    run: subscriptions.readSubscriptions,
  }),
  createSubscription: write({
    query: requested.subscriptionCreate,
    answer: "EventSubscriptionCreated",
    route: {
      method: "POST",
      path: EVENTS_PATH,
      summary: "Subscribe your address to changes that the grant covers",
      body: "merge",
      aliases: REFERENCE_NAMES,
      status: 201,
    },
    words: "Subscribed to events",
    lastingAccess: true,
    effects: ["sendsEvents"],
    run: subscriptions.createSubscription,
  }),
  eventSubscription: read({
    query: requests.byId,
    answer: "EventSubscription",
    route: { method: "GET", path: ONE, summary: "One subscription" },
    run: subscriptions.readSubscription,
  }),
  changeSubscription: write({
    query: requested.subscriptionChange,
    answer: "EventSubscription",
    route: {
      method: "PATCH",
      path: ONE,
      summary: "Change a subscription's address or streams; pause or resume it",
      body: "merge",
      aliases: REFERENCE_NAMES,
    },
    words: "Changed an event subscription",
    // Changes where events are sent. Pausing needs no password.
    lastingAccess: ({ url, streams, status }) => url !== undefined || streams !== undefined || status === "active",
    effects: ["endsEvents"],
    run: subscriptions.changeSubscription,
  }),
  deleteSubscription: write({
    query: requests.byId,
    route: { method: "DELETE", path: ONE, summary: "End a subscription; waiting events are not sent", status: 204 },
    words: "Ended an event subscription",
    effects: ["endsEvents"],
    run: subscriptions.deleteSubscription,
  }),
  restoreSubscription: ownerWrite({
    query: requests.byId,
    answer: "EventSubscription",
    route: {
      method: "POST",
      path: `${ONE}/restore`,
      summary: "Undo the owner's deletion of a subscription, within a minute",
    },
    words: "Undid the deletion of an event subscription",
    effects: ["sendsEvents"],
    run: subscriptions.restoreSubscription,
  }),
  verifySubscription: write({
    query: requests.byId,
    answer: "EventDelivery",
    route: {
      method: "POST",
      path: `${ONE}/verify`,
      summary: "Send the challenge to the subscription's address again",
      status: 202,
    },
    words: "Requested verification of an event address",
    effects: ["sendsEvents"],
    run: verifySubscription,
  }),
  testSubscription: write({
    query: requests.byId,
    answer: "EventDelivery",
    route: { method: "POST", path: `${ONE}/test-event`, summary: "Send a test event, once", status: 202 },
    words: "Sent a test event",
    effects: ["sendsEvents"],
    run: testSubscription,
  }),
  rotateSubscriptionSecret: write({
    query: requests.byId,
    answer: "EventSubscriptionCreated",
    route: { method: "POST", path: `${ONE}/rotate-secret`, summary: "Create a new secret, which is shown once" },
    words: "Changed an event subscription's secret",
    lastingAccess: true,
    run: subscriptions.rotateSecret,
  }),
  replayEvents: write({
    query: requested.replayRequest,
    answer: "EventReplay",
    route: {
      method: "POST",
      path: `${ONE}/replay`,
      summary: "Send one event again, or all events since a time, with their original ids",
      body: "merge",
      status: 202,
    },
    words: "Resent events",
    effects: ["sendsEvents"],
    run: replayEvents,
  }),
  eventDeliveries: read({
    query: requested.deliveriesQuery,
    answer: "EventDeliveryList",
    route: {
      method: "GET",
      path: `${ONE}/deliveries`,
      summary: "Sent, waiting and failed events, newest first",
    },
    run: readDeliveries,
  }),
  eventHosts: ownerRead({
    query: requests.nothing,
    answer: "EventHostList",
    route: {
      method: "GET",
      path: "/v1/event-hosts",
      summary: "Private addresses that events may be sent to, and for which app",
    },
    words: "Listed allowed private addresses",
    run: readHosts,
  }),
  allowEventHost: ownerWrite({
    query: requested.eventHostRef,
    answer: "EventHost",
    route: {
      method: "PUT",
      path: "/v1/event-hosts/{host}",
      summary: "Allow one app a private event address, HOST:PORT, including http and loopback",
    },
    words: "Allowed a private event address for an app",
    lastingAccess: true,
    notHosted: "events are not sent into its own network",
    run: allowHost,
  }),
  disallowEventHost: ownerWrite({
    query: requested.eventHostRef,
    answer: "EventHostRemoved",
    route: {
      method: "DELETE",
      path: "/v1/event-hosts/{host}",
      summary: "Disallow a private event address for one app",
    },
    words: "Disallowed a private event address for an app",
    effects: ["endsEvents"],
    run: disallowHost,
  }),
  /** With a narrow grant, this scans the feed and moves to the scan lane. */
  lookForChanges: systemRead({ query: requests.nothing, run: lookForChanges }),
  noteChanges: systemWrite({ query: requested.changesNoted, run: noteChanges }),
  dueEvents: systemRead({ query: requests.nothing, run: delivery.readDueEvents }),
  /** Returns the content and destination of an event that is about to be sent. */
  eventToSend: systemRead({
    query: requested.eventToSend,
    // The permission to reach private hosts may have arrived with a home from another server.
    hosted: (sending) => sending && { ...sending, allowed: false },
    run: delivery.readSending,
  }),
  disallowedEvents: systemRead({ query: requested.eventIds, run: delivery.readDisallowed }),
  dropDisallowedEvents: systemWrite({ query: requested.eventIds, run: delivery.dropDisallowed }),
  noteDelivery: systemWrite({
    query: requested.deliveryNoted,
    run: (context, query) => delivery.noteDelivery(context, query, Math.random()),
  }),
  endSubscriptions: systemWrite({ query: requests.nothing, run: delivery.endSubscriptions }),
};
