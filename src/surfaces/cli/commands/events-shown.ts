// One event subscription on a terminal: creation, details, challenge, one-time secret and delivery log.
import { setTimeout as sleep } from "node:timers/promises";
import { PdppError } from "../../../contract/errors.ts";
import type { EventDelivery } from "../../../contract/event-answers.ts";
import { EVENTS } from "../../../contract/limits.ts";
import { servingAddress } from "../../../engine/home-address.ts";
import { answer, type Calls, type CommandContext, list, oneOf, text, UsageError, wholeNumber } from "../command.ts";
import { nextCommand, sameCommand } from "../next-command.ts";
import { plainJson, printable } from "../printable.ts";
import { table } from "../table.ts";

const LOOK_MS = 100;

/**
 * Returns true if a server can send events: the one given with --server, or one that runs on the home. Call it before
 * the home is opened.
 */
export const awaitServer = ({ home, values }: CommandContext): boolean =>
  values.server !== undefined || servingAddress(home) !== undefined;

export async function create(context: CommandContext, url: string): Promise<number> {
  const { values, json, out, note } = context;
  const request = {
    url,
    streams: namedStreams(context),
    secret: text(values, "secret"),
    grant_id: text(values, "grant"),
  };
  const runs = awaitServer(context);
  const body = await context.call("createSubscription", request);
  const made = body;
  out(json ? plainJson(JSON.stringify(body)) : `${made.subscription_id}\n${made.secret}`);
  note("The secret is shown only once. The receiver at that address uses it to verify signatures.");
  note(
    runs
      ? `The address is being verified. To see the result: ${nextCommand(context, ["events", "show", made.subscription_id])}`
      : "No server is running on this home; the address will be verified when one starts: pdpp serve",
  );
  return 0;
}

/** Returns the streams given on the command line, each with the given connection, if any. */
function namedStreams({ values }: CommandContext): { stream: string; connection_id?: string }[] | undefined {
  const connection_id = text(values, "connection");
  const streams = list(values, "stream");
  if (streams === undefined && connection_id !== undefined)
    throw new UsageError("--connection needs --stream: it selects the stream's connection");
  return streams?.map((stream) => ({ stream, ...(connection_id === undefined ? {} : { connection_id }) }));
}

export async function showSubscription(context: CommandContext, id: string): Promise<number> {
  answer(
    context,
    await context.call("eventSubscription", { id }),
    (row) => {
      const streams = row.streams?.map(({ stream, connection_id }) =>
        connection_id ? `${stream} of ${connection_id}` : stream,
      );
      const facts: [string, string | undefined][] = [
        ["status", row.reason === undefined ? row.status : `${row.status}: ${row.reason.message}`],
        ["app", row.client_name ?? row.client_id],
        ["grant", row.grant_id ?? row.grant_package_id],
        ["address", row.url],
        ["streams", streams?.join(", ") ?? "everything in its grant"],
        ["made", row.created_at],
        ["verified", row.verified_at ?? "not yet"],
        ["delivered", row.last_delivered_at ?? "nothing yet"],
        ["failed", row.last_failure && `${row.last_failure.at}: ${row.last_failure.error}`],
        ["waiting", `${row.waiting}${row.next_try_at === undefined ? "" : `, next attempt ${row.next_try_at}`}`],
        ["given up", String(row.dead_letters)],
        ["old secret", row.old_secret_until && `still signs until ${row.old_secret_until}`],
      ];
      const lines = facts.flatMap(([name, value]) =>
        value === undefined ? [] : [`  ${name.padEnd(10)}  ${printable(value, 2100)}`],
      );
      return [row.subscription_id, ...lines].join("\n");
    },
    () => `Delivery log: ${nextCommand(context, ["events", "log", id])}`,
  );
  return 0;
}

export async function rotate(context: CommandContext, id: string): Promise<number> {
  const body = await context.call("rotateSubscriptionSecret", { id });
  const { secret, old_secret_until } = body;
  context.out(context.json ? plainJson(JSON.stringify(body)) : secret);
  context.note(
    `The secret is shown only once. Until ${old_secret_until}, events are also signed with the previous secret.`,
  );
  return 0;
}

/** Sends a challenge or a test event, and waits for the response. */
export async function askAddress(
  context: CommandContext,
  id: string,
  method: "verifySubscription" | "testSubscription",
): Promise<number> {
  if (!awaitServer(context))
    throw new PdppError("store_unavailable", "no server is running on this home, so nothing is sent", {
      next_step: `Start one: \`${nextCommand(context, ["serve"])}\`, then try again.`,
    });
  const asked = await context.call(method, { id });
  const sent = await settledDelivery(context, asked);
  const last = sent.attempts?.at(-1);
  const detail =
    last?.error ?? (last?.status === undefined ? undefined : `answered ${last.status} in ${last.milliseconds} ms`);
  const outcome =
    sent.status === "delivered" ? "delivered" : sent.status === "failed" ? "not delivered" : "not delivered yet";
  answer(
    context,
    sent,
    () => `${asked.event_id}: ${outcome}${detail === undefined ? "" : `, ${printable(detail, 300)}`}`,
    ({ status }) =>
      status === "delivered" ? undefined : `Delivery attempts: ${nextCommand(context, ["events", "log", id])}`,
  );
  return sent.status === "delivered" ? 0 : 1;
}

/**
 * Waits for the first attempt. Apps do not see attempts, so for them it waits until delivery succeeds or is abandoned.
 * It stops waiting after two timeouts.
 */
async function settledDelivery({ call }: Calls, asked: EventDelivery): Promise<EventDelivery> {
  const { subscription_id: id, event_id } = asked;
  const deadline = Date.now() + 2 * EVENTS.timeoutMs;
  for (;;) {
    const { data } = await call("eventDeliveries", { id, limit: 100 });
    const found = data.find((row) => row.event_id === event_id) ?? asked;
    if (found.status !== "waiting" || (found.tries ?? 0) > 0 || Date.now() > deadline) return found;
    await sleep(LOOK_MS);
  }
}

export async function showLog(context: CommandContext, id: string): Promise<number> {
  const { values } = context;
  const query = {
    id,
    status: oneOf(values, "status", ["waiting", "delivered", "failed"]),
    limit: wholeNumber(values, "limit", 1),
    cursor: text(values, "cursor"),
  };
  answer(
    context,
    await context.call("eventDeliveries", query),
    ({ data }) => {
      if (data.length === 0) return "Nothing was sent, and nothing is waiting.";
      const rows = data.map((row) => {
        const last = row.attempts?.at(-1);
        const said = last?.error ?? (last === undefined ? "" : `${last.status} in ${last.milliseconds} ms`);
        const { next_try_at: next } = row;
        return [
          row.event_id,
          row.created_at,
          row.type.replace("dev.pdpp.", ""),
          row.stream ?? "",
          row.status === "failed" ? "given up" : row.status,
          row.tries === undefined ? "" : String(row.tries),
          next === undefined ? said : `${said}${said === "" ? "" : "; "}next ${next}`,
        ];
      });
      return table(["event", "made", "what", "stream", "status", "tries", "last attempt"], rows, { whole: [0, 6] });
    },
    ({ data, next_cursor: cursor }) => {
      const failed = data.find(({ status }) => status === "failed");
      const hints = [
        ...(failed === undefined
          ? []
          : [`Send again: ${nextCommand(context, ["events", "replay", id], { event: failed.event_id })}`]),
        ...(cursor === undefined ? [] : [`Earlier: ${sameCommand(context, "events", { cursor })}`]),
      ];
      return hints.length === 0 ? undefined : hints.join("\n");
    },
  );
  return 0;
}
