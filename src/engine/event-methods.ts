// The calls of event subscriptions: what apps and the owner ask, and what the server notes while it tells (F-06).
import * as eventRequests from "../contract/event-requests.ts";
import * as requests from "../contract/write.ts";
import { eventCapabilities } from "../core/event-capabilities.ts";
import * as askedEvents from "./events/asked-events.ts";
import * as eventDelivery from "./events/delivery.ts";
import { lookForChanges, noteChanges } from "./events/detect.ts";
import * as eventHosts from "./events/hosts.ts";
import * as eventLog from "./events/log.ts";
import * as subscriptions from "./events/subscriptions.ts";
import { answer, ownerRead, ownerWrite, read, systemRead, systemWrite, write } from "./method.ts";

export const EVENT_METHODS = {
  /** The same for everybody; it tells of no grant. */
  eventCapabilities: read(requests.nothing, async () => ({ ...answer(eventCapabilities()), reads: [] })),
  eventSubscriptions: read(eventRequests.subscriptionsQuery, subscriptions.readSubscriptions),
  eventSubscription: read(requests.byId, subscriptions.readSubscription),
  eventDeliveries: read(eventRequests.deliveriesQuery, eventLog.readDeliveries),
  eventHosts: ownerRead(requests.nothing, eventHosts.readHosts),
  createSubscription: write(eventRequests.subscriptionCreate, subscriptions.createSubscription),
  changeSubscription: write(eventRequests.subscriptionChange, subscriptions.changeSubscription),
  deleteSubscription: write(requests.byId, subscriptions.deleteSubscription),
  verifySubscription: write(requests.byId, askedEvents.verifySubscription),
  testSubscription: write(requests.byId, askedEvents.testSubscription),
  rotateSubscriptionSecret: write(requests.byId, subscriptions.rotateSecret),
  replayEvents: write(eventRequests.replayRequest, eventLog.replayEvents),
  allowEventHost: ownerWrite(eventRequests.eventHostRef, eventHosts.allowHost),
  disallowEventHost: ownerWrite(eventRequests.eventHostRef, eventHosts.disallowHost),
  lookForChanges: systemRead(requests.nothing, lookForChanges),
  noteChanges: systemWrite(eventRequests.changesNoted, noteChanges),
  dueEvents: systemRead(requests.nothing, eventDelivery.readDueEvents),
  eventToSend: systemRead(eventRequests.eventToSend, eventDelivery.readSending),
  fallenEvents: systemRead(eventRequests.eventIds, eventDelivery.readFallen),
  dropFallenEvents: systemWrite(eventRequests.eventIds, eventDelivery.dropFallen),
  noteDelivery: systemWrite(eventRequests.deliveryNoted, (context, query) =>
    eventDelivery.noteDelivery(context, query, Math.random()),
  ),
  endSubscriptions: systemWrite(requests.nothing, eventDelivery.endSubscriptions),
} as const;
