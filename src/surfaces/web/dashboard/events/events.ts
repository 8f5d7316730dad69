// /dashboard/settings/events: which apps are notified of changes, where, and whether it works, and which private
// addresses are allowed.
import { PdppError } from "../../../../contract/errors.ts";
import type { GrantSummary } from "../../../../contract/grant.ts";
import { cleanDisplayName } from "../../../../core/display-name.ts";
import { ownerPage } from "../../owner-page.ts";
import { appNames, grantsOf } from "../app-grants.ts";
import { showEvents } from "./events-view.ts";
import { EVENTS_PAGE, type SubscriptionRow, subscriptionRows } from "./subscription-words.ts";

const DONE = {
  allowed: "Allowed. Events for this app can now be sent there.",
  disallowed: "No longer allowed. Events for this app are no longer sent there.",
  deleted: "Deleted. Its waiting events will not be sent. You can undo this for one minute.",
  restored: "Undone. The app is notified as before.",
} as const;

export interface EventsView {
  subscriptions: readonly SubscriptionRow[];
  /** Absent if the server's network is not the owner's. */
  hosts?: readonly { host: string; clientId: string; app: string; allowedAt: string }[];
  /** Apps for which an address can be allowed. */
  apps: readonly { clientId: string; name: string }[];
  done?: string;
}

export const eventsPage = ownerPage<EventsView>({
  path: EVENTS_PAGE,
  under: "settings",
  async load(visit) {
    const [subscriptions, hosts, grants] = await Promise.all([
      subscriptionRows(visit),
      visit.look("eventHosts", {}),
      grantsOf(visit),
    ]);
    const done = visit.search.get("done") ?? "";
    return {
      subscriptions,
      ...(visit.house.home === undefined
        ? {}
        : {
            hosts: hosts.data.map(({ host, client_id, client_name, allowed_at }) => ({
              host,
              clientId: client_id,
              app: cleanDisplayName(client_name ?? client_id),
              allowedAt: allowed_at,
            })),
          }),
      apps: appChoices(grants),
      ...(Object.hasOwn(DONE, done) ? { done: DONE[done as keyof typeof DONE] } : {}),
    };
  },
  show: showEvents,
  async post({ act }, form) {
    const asked = { host: (form.get("host") ?? "").trim(), client_id: form.get("client_id") ?? "" };
    switch (form.get("do")) {
      case "allow":
        await act("allowEventHost", asked);
        return { location: `${EVENTS_PAGE}?done=allowed#hosts`, undo: [["do", "disallow"], ...Object.entries(asked)] };
      case "disallow":
        await act("disallowEventHost", asked);
        return { location: `${EVENTS_PAGE}?done=disallowed#hosts`, undo: [["do", "allow"], ...Object.entries(asked)] };
      case "restore":
        await act("restoreSubscription", { id: form.get("id") ?? "" });
        return `${EVENTS_PAGE}?done=restored`;
      default:
        throw new PdppError("invalid_request", "the form has no action", { param: "do" });
    }
  },
});

/** Lists the apps that can currently read, by name. */
function appChoices(grants: readonly GrantSummary[]): EventsView["apps"] {
  const active = new Set(grants.filter(({ status }) => status === "active").map(({ grant }) => grant.client.client_id));
  return [...appNames(grants)]
    .filter(([clientId]) => active.has(clientId))
    .map(([clientId, name]) => ({ clientId, name }))
    .sort((one, other) => one.name.localeCompare(other.name));
}
