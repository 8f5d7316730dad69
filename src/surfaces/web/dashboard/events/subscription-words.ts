// Describes event subscriptions in the words that every page uses.
import { html } from "hono/html";
import type { EventSubscription } from "../../../../contract/event-answers.ts";
import { cleanDisplayName } from "../../../../core/display-name.ts";
import { countOf } from "../../format.ts";
import type { Html } from "../../layout.ts";
import type { PageFrame, Visit } from "../../owner-page.ts";

export const EVENTS_PAGE = "/dashboard/settings/events";
export const subscriptionAddress = (id: string): string => `${EVENTS_PAGE}/${encodeURIComponent(id)}`;

export interface SubscriptionRow {
  subscriptionId: string;
  /** The app that is notified. */
  clientId?: string;
  app: string;
  grantId: string;
  status: EventSubscription["status"];
  /** The reason why the subscription is not active, unless the owner or the app stopped it. */
  reason?: string;
  url: string;
  /** Such as "messages of Mail". If absent, everything that the grant shows. */
  streams?: readonly string[];
  createdAt: string;
  verifiedAt?: string;
  lastDeliveredAt?: string;
  lastFailure?: { at: string; error: string };
  waiting: number;
  deadLetters: number;
  nextTryAt?: string;
}

/** Returns the subscriptions of all apps, or of one. */
export async function subscriptionRows({ look }: Visit, clientId?: string): Promise<SubscriptionRow[]> {
  const [subscriptions, connections] = await Promise.all([look("eventSubscriptions", {}), look("connections", {})]);
  const names = new Map(connections.data.map(({ connection_id, display_name }) => [connection_id, display_name]));
  return subscriptions.data
    .filter((one) => clientId === undefined || one.client_id === clientId)
    .map((one) => rowOf(one, names));
}

export function rowOf(one: EventSubscription, names: ReadonlyMap<string, string>): SubscriptionRow {
  const streams = one.streams?.map(({ stream, connection_id }) =>
    connection_id === undefined ? stream : `${stream} of ${names.get(connection_id) ?? connection_id}`,
  );
  return {
    subscriptionId: one.subscription_id,
    ...(one.client_id === undefined ? {} : { clientId: one.client_id }),
    app: cleanDisplayName(one.client_name ?? one.client_id ?? "An app"),
    grantId: (one.grant_package_id ?? one.grant_id)!,
    status: one.status,
    ...(one.reason === undefined ? {} : { reason: one.reason.message }),
    url: one.url,
    ...(streams === undefined ? {} : { streams }),
    createdAt: one.created_at,
    ...(one.verified_at === undefined ? {} : { verifiedAt: one.verified_at }),
    ...(one.last_delivered_at === undefined ? {} : { lastDeliveredAt: one.last_delivered_at }),
    ...(one.last_failure === undefined ? {} : { lastFailure: one.last_failure }),
    waiting: one.waiting,
    deadLetters: one.dead_letters,
    ...(one.next_try_at === undefined ? {} : { nextTryAt: one.next_try_at }),
  };
}

const STATUS = {
  pending: ["warn", "Not verified"],
  active: ["good", "Active"],
  paused: ["", "Paused"],
  disabled: ["bad", "Disabled"],
  ended: ["", "Ended"],
} as const;

export function subscriptionBadge({ status }: Pick<SubscriptionRow, "status">): Html {
  const [kind, words] = STATUS[status];
  return html`<span class="badge ${kind}">${words}</span>`;
}

export const aboutWords = ({ streams }: Pick<SubscriptionRow, "streams">): string =>
  streams === undefined ? "everything it may read" : streams.join(", ");

/** Describes the subscription's state in one line. */
export function subscriptionState(row: SubscriptionRow, { times }: PageFrame): Html {
  const { status, reason, lastDeliveredAt, lastFailure, waiting, deadLetters } = row;
  const last =
    lastDeliveredAt === undefined
      ? "Nothing has been delivered yet"
      : html`Last delivered ${times.ago(lastDeliveredAt)}`;
  const failed =
    lastFailure === undefined
      ? ""
      : html` · last attempt ${times.ago(lastFailure.at)}: <bdi>${lastFailure.error}</bdi>`;
  const left = [
    ...(waiting === 0 ? [] : [`${countOf(waiting, "event")} ${waiting === 1 ? "waits" : "wait"}`]),
    ...(deadLetters === 0 ? [] : [`${countOf(deadLetters, "event")} not delivered`]),
  ];
  if (reason !== undefined && status !== "active") return html`<bdi>${reason}</bdi>`;
  return html`${last}${failed}${left.length === 0 ? "" : ` · ${left.join(", ")}`}`;
}
