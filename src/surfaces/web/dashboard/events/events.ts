// /dashboard/settings/events: which apps are told of changes, where, how that goes; private hosts that are allowed.
import type { List } from "../../../../contract/answers.ts";
import { PdppError } from "../../../../contract/errors.ts";
import type { EventHost } from "../../../../contract/event-answers.ts";
import { ownerPage } from "../../owner-page.ts";
import { showEvents } from "./events-view.ts";
import { EVENTS_PAGE, type SubscriptionRow, subscriptionRows } from "./subscription-words.ts";

const DONE = {
  allowed: "Allowed. Events may be sent there, private or not.",
  disallowed: "No longer allowed. What is sent there fails from now on.",
  deleted: "Deleted. What waited is not sent.",
} as const;

export interface EventsView {
  subscriptions: readonly SubscriptionRow[];
  /** Absent: the server's network is not the owner's. */
  hosts?: readonly { host: string; allowedAt: string }[];
  done?: string;
}

export const eventsPage = ownerPage<EventsView>({
  path: EVENTS_PAGE,
  under: "settings",
  async load(visit) {
    const [subscriptions, hosts] = await Promise.all([
      subscriptionRows(visit),
      visit.look<List<EventHost>>("eventHosts", {}),
    ]);
    const done = visit.search.get("done") ?? "";
    return {
      subscriptions,
      ...(visit.house.home === undefined
        ? {}
        : { hosts: hosts.data.map(({ host, allowed_at }) => ({ host, allowedAt: allowed_at })) }),
      ...(Object.hasOwn(DONE, done) ? { done: DONE[done as keyof typeof DONE] } : {}),
    };
  },
  show: showEvents,
  async post({ act }, form) {
    const host = (form.get("host") ?? "").trim();
    switch (form.get("do")) {
      case "allow":
        await act("allowEventHost", { host });
        return `${EVENTS_PAGE}?done=allowed#hosts`;
      case "disallow":
        await act("disallowEventHost", { host });
        return `${EVENTS_PAGE}?done=disallowed#hosts`;
      default:
        throw new PdppError("invalid_request", "the form does not say what to do", { param: "do" });
    }
  },
});
