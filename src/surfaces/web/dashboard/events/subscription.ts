// /dashboard/settings/events/{id}: one subscription: its state, what was sent, and its actions.
import { PdppError } from "../../../../contract/errors.ts";
import type { EventDelivery } from "../../../../contract/event-answers.ts";
import { ownerPage, type Visit } from "../../owner-page.ts";
import type { Undoable } from "../../undo.ts";
import { showSubscription } from "./subscription-view.ts";
import { EVENTS_PAGE, rowOf, type SubscriptionRow, subscriptionAddress } from "./subscription-words.ts";

const DONE = {
  paused: "Paused. Nothing is sent; changes in the meantime are reported when it resumes.",
  resumed: "Resumed.",
  test: "A test event is being sent; the log shows the result.",
  verify: "The address is being verified again; the log shows the result.",
  replay: "The event is being sent again, with the same id.",
} as const;

export interface DeliveryRow {
  eventId: string;
  type: string;
  stream?: string;
  connection?: string;
  status: EventDelivery["status"];
  tries: number;
  createdAt: string;
  nextTryAt?: string;
  lastTry?: { at: string; status?: number; error?: string; milliseconds: number };
}

export interface SubscriptionView {
  subscription: SubscriptionRow;
  /** Newest first. */
  deliveries: readonly DeliveryRow[];
  /** The cursor for the next page of older deliveries. */
  cursor?: string;
  done?: string;
}

export const subscriptionPage = ownerPage<SubscriptionView>({
  path: `${EVENTS_PAGE}/{id}`,
  under: "settings",
  async load({ look, params, search }) {
    const id = params.id!;
    const cursor = search.get("cursor");
    const [subscription, log, connections] = await Promise.all([
      look("eventSubscription", { id }),
      look("eventDeliveries", { id, ...(cursor === null ? {} : { cursor }) }),
      look("connections", {}),
    ]);
    const names = new Map(connections.data.map(({ connection_id, display_name }) => [connection_id, display_name]));
    const done = search.get("done") ?? "";
    return {
      subscription: rowOf(subscription, names),
      deliveries: log.data.map((one) => deliveryRow(one, names)),
      ...(log.next_cursor === undefined ? {} : { cursor: log.next_cursor }),
      ...(Object.hasOwn(DONE, done) ? { done: DONE[done as keyof typeof DONE] } : {}),
    };
  },
  show: showSubscription,
  async post(visit, form) {
    const what = form.get("do") ?? "";
    if (!Object.hasOwn(FORMS, what)) throw new PdppError("invalid_request", "the form has no action", { param: "do" });
    return FORMS[what as keyof typeof FORMS](visit, visit.params.id!, form);
  },
});

const doneAt = (id: string, done: keyof typeof DONE): string => `${subscriptionAddress(id)}?done=${done}`;

const FORMS = {
  async pause({ act }: Visit, id: string) {
    await act("changeSubscription", { id, status: "paused" });
    return { location: doneAt(id, "paused"), undo: [["do", "resume"]] as const };
  },
  async resume({ act }: Visit, id: string) {
    const { status } = await act("changeSubscription", {
      id,
      status: "active",
    });
    return { location: doneAt(id, status === "pending" ? "verify" : "resumed"), undo: [["do", "pause"]] as const };
  },
  async test({ act }: Visit, id: string) {
    await act("testSubscription", { id });
    return `${doneAt(id, "test")}#log`;
  },
  async verify({ act }: Visit, id: string) {
    await act("verifySubscription", { id });
    return `${doneAt(id, "verify")}#log`;
  },
  async replay({ act }: Visit, id: string, form: URLSearchParams) {
    await act("replayEvents", { id, event_id: form.get("event") ?? "" });
    return `${doneAt(id, "replay")}#log`;
  },
  async delete({ act }: Visit, id: string) {
    await act("deleteSubscription", { id });
    const undo: Undoable["undo"] = [
      ["do", "restore"],
      ["id", id],
    ];
    return { location: `${EVENTS_PAGE}?done=deleted`, undo };
  },
};

function deliveryRow(one: EventDelivery, names: ReadonlyMap<string, string>): DeliveryRow {
  const last = one.attempts?.at(-1);
  return {
    eventId: one.event_id,
    type: one.type,
    ...(one.stream === undefined ? {} : { stream: one.stream }),
    ...(one.connection_id === undefined ? {} : { connection: names.get(one.connection_id) ?? one.connection_id }),
    status: one.status,
    tries: one.tries ?? 0,
    createdAt: one.created_at,
    ...(one.next_try_at === undefined ? {} : { nextTryAt: one.next_try_at }),
    ...(last === undefined ? {} : { lastTry: last }),
  };
}
