// pdpp events: shows which apps are notified of changes, and whether the notifications arrive.
import { answer, type Command, type CommandContext, instant, text, UsageError } from "../command.ts";
import { nextCommand } from "../next-command.ts";
import { printable } from "../printable.ts";
import { agreed } from "../prompt.ts";
import { count, table } from "../table.ts";
import { askAddress, awaitServer, create, rotate, showLog, showSubscription } from "./events-shown.ts";

export const events: Command = {
  summary: "notify an app of changes: signed webhooks under its grant",
  usage:
    "pdpp events [list] [--grant ID]\n" +
    "       pdpp events create URL [--grant ID] [--stream S … [--connection ID]] [--secret whsec_…]\n" +
    "       pdpp events show ID | pause ID | resume ID | delete ID [--yes] | restore ID\n" +
    "       pdpp events verify ID | test ID | rotate ID\n" +
    "       pdpp events log ID [--status waiting|delivered|failed] [--limit N] [--cursor C]\n" +
    "       pdpp events replay ID (--event ID | --since T)\n" +
    "       pdpp events allow HOST:PORT --app CLIENT | disallow HOST:PORT --app CLIENT | hosts\n" +
    "       pdpp events capabilities",
  details:
    "On a home, this command manages all subscriptions, as the owner. With --server, it uses the grant from\n" +
    "`pdpp connect` and manages that grant's subscriptions. `capabilities` describes what a receiver needs. CLIENT is an app's\n" +
    "client_id, as `pdpp grants list --json` shows it.",
  examples: [
    "pdpp events",
    "pdpp events create https://app.example.org/hook --grant grt_…",
    "pdpp events create https://app.example.org/hook --stream messages --server https://data.example.org",
    "pdpp events test sub_…",
    "pdpp events log sub_… --status failed",
    "pdpp events replay sub_… --since 2026-01-31",
    "pdpp events allow 192.168.1.20:8123 --app cli_…",
    "pdpp events capabilities --json",
  ],
  actions: [
    "list",
    "create",
    "show",
    "pause",
    "resume",
    "delete",
    "restore",
    "verify",
    "test",
    "rotate",
    "log",
    "replay",
    "allow",
    "disallow",
    "hosts",
    "capabilities",
  ],
  options: {
    grant: {
      type: "string",
      value: "ID",
      about: "list: only subscriptions under this grant; create: the grant of the new subscription",
    },
    app: { type: "string", value: "CLIENT", about: "allow, disallow: the app" },
    stream: {
      type: "string",
      multiple: true,
      value: "STREAM",
      about: "create: only this stream; can be repeated",
    },
    connection: { type: "string", value: "ID", about: "create: only this connection" },
    secret: {
      type: "string",
      value: "SECRET",
      about: "create: the signing secret (whsec_…); otherwise one is generated",
    },
    status: { type: "string", value: "STATUS", about: "log: waiting, delivered or failed" },
    limit: { type: "string", value: "N", about: "at most this many results" },
    cursor: { type: "string", value: "CURSOR", about: "continue after the page that printed this cursor" },
    event: { type: "string", value: "ID", about: "replay: this event" },
    since: { type: "string", value: "TIME", about: "replay: every event since this time" },
    yes: { type: "boolean", short: "y", about: "do not ask for confirmation" },
  },
  async run(context) {
    const [action = "list", what, ...rest] = context.positionals;
    if (rest.length > 0) throw new UsageError(`unexpected argument ${JSON.stringify(rest[0])}`);
    if (Object.hasOwn(ALONE, action) && what === undefined) return ALONE[action as keyof typeof ALONE](context);
    if (Object.hasOwn(OF_ONE, action) && what !== undefined)
      return OF_ONE[action as keyof typeof OF_ONE](context, what);
    throw new UsageError(
      Object.hasOwn(OF_ONE, action) ? `${action} takes ${NEEDS[action] ?? "ID"}` : `there is no pdpp events ${action}`,
    );
  },
};

const NEEDS: Record<string, string> = { create: "URL", allow: "HOST:PORT", disallow: "HOST:PORT" };

const ALONE = { list: listAll, hosts, capabilities };
const OF_ONE = {
  create,
  show: showSubscription,
  pause: (context: CommandContext, id: string) => setStatus(context, id, "paused"),
  resume: (context: CommandContext, id: string) => setStatus(context, id, "active"),
  delete: remove,
  restore,
  verify: (context: CommandContext, id: string) => askAddress(context, id, "verifySubscription"),
  test: (context: CommandContext, id: string) => askAddress(context, id, "testSubscription"),
  rotate,
  log: showLog,
  replay,
  allow,
  disallow,
};

async function listAll(context: CommandContext): Promise<number> {
  const body = await context.call("eventSubscriptions", { grant_id: text(context.values, "grant") });
  answer(context, body, ({ data }) => {
    if (data.length === 0)
      return `No subscriptions yet. ${nextCommand(context, ["events", "create", "URL"])} creates one.`;
    const rows = data.map((row) => [
      row.subscription_id,
      row.status,
      row.client_name ?? row.client_id ?? "",
      row.url,
      row.streams?.map(({ stream }) => stream).join(", ") ?? "everything in its grant",
      row.last_delivered_at ?? "never",
      String(row.waiting),
      String(row.dead_letters),
    ]);
    const headers = ["subscription", "status", "app", "address", "streams", "last delivered", "waiting", "given up"];
    return table(headers, rows, { whole: [0, 3] });
  });
  return 0;
}

async function setStatus(context: CommandContext, id: string, status: "paused" | "active"): Promise<number> {
  const runs = status === "paused" ? true : awaitServer(context);
  const body = await context.call("changeSubscription", { id, status });
  answer(context, body, (row) => `${id} is ${row.status}.`);
  if (!runs) context.note("The app will be notified while a server runs on this home: pdpp serve");
  return 0;
}

async function remove(context: CommandContext, id: string): Promise<number> {
  const question = async (): Promise<string> => {
    const { url, client_name = "an app" } = await context.call("eventSubscription", { id });
    return `${printable(client_name)} will no longer be notified at ${printable(url, 300)}. Delete the subscription?`;
  };
  if (!(await agreed(context, ["events", "delete", id], question, "Nothing was deleted."))) return 4;
  await context.call("deleteSubscription", { id });
  context.out(context.json ? JSON.stringify({ deleted: id }) : `Deleted ${id}. Its waiting events will not be sent.`);
  return 0;
}

/** Only the owner can restore a subscription, within a minute of its deletion. */
async function restore(context: CommandContext, id: string): Promise<number> {
  const body = await context.call("restoreSubscription", { id });
  answer(context, body, (row) => `Undone. ${id} is ${row.status}.`);
  return 0;
}

async function replay(context: CommandContext, id: string): Promise<number> {
  const [event_id, since] = [text(context.values, "event"), instant(context.values, "since")];
  if ((event_id === undefined) === (since === undefined))
    throw new UsageError("specify either --event ID or --since T");
  const runs = awaitServer(context);
  const body = await context.call("replayEvents", { id, event_id, since });
  answer(
    context,
    body,
    ({ event_ids }) =>
      event_ids.length === 0
        ? "Nothing to send again."
        : `${runs ? "Sending again" : "Waiting for a server on this home"}: ${count(event_ids.length, "event")} (${event_ids.join(", ")})`,
    () => `Progress: ${nextCommand(context, ["events", "log", id])}`,
  );
  return 0;
}

async function hosts(context: CommandContext): Promise<number> {
  answer(context, await context.call("eventHosts", {}), ({ data }) =>
    data.length === 0
      ? "No private address is allowed: events are sent only to https addresses on the public internet."
      : table(
          ["address", "app", "client", "allowed"],
          data.map((row) => [row.host, row.client_name ?? "", row.client_id, row.allowed_at]),
          { whole: [0, 2] },
        ),
  );
  return 0;
}

/** Reads the host and the app from the command line. */
function addressFor({ values, positionals }: CommandContext, host: string): { host: string; client_id: string } {
  const client_id = text(values, "app");
  if (client_id === undefined)
    throw new UsageError(`${positionals[0]} needs --app CLIENT: an address is allowed for one app`);
  return { host, client_id };
}

async function allow(context: CommandContext, address: string): Promise<number> {
  const asked = addressFor(context, address);
  answer(
    context,
    await context.call("allowEventHost", asked),
    ({ host: allowed, client_name = "", client_id }) =>
      `Events for ${printable(client_name || client_id)} can be sent to ${printable(allowed)}, even if it is private, and even over http.`,
    ({ host: allowed, client_id }) =>
      `To undo it: ${nextCommand(context, ["events", "disallow", allowed], { app: client_id })}`,
  );
  return 0;
}

async function disallow(context: CommandContext, address: string): Promise<number> {
  const asked = addressFor(context, address);
  const body = await context.call("disallowEventHost", asked);
  answer(
    context,
    body,
    ({ host: gone, client_id }) => `${printable(gone)} is no longer allowed for ${printable(client_id)}.`,
  );
  return 0;
}

async function capabilities(context: CommandContext): Promise<number> {
  const body = await context.call("eventCapabilities", {});
  answer(context, body, (supported) =>
    [
      "Types",
      ...supported.event_types.map(({ type, when }) => `  ${type}: ${when}`),
      `Format     ${supported.format.name} ${supported.format.specversion}, ${supported.format.method} ${supported.format.content_type}`,
      `Signed     ${supported.signing.name}: ${supported.signing.algorithm} over ${supported.signing.signed_content}`,
      ...Object.entries(supported.signing.headers).map(([name, says]) => `  ${name}: ${says}`),
      `Secret     ${supported.signing.secret}. ${supported.signing.rotation}`,
      `Challenge  ${supported.challenge.request}: answer ${supported.challenge.answer}`,
      ...Object.entries(supported.delivery).map(
        ([name, says]) => `  ${name.replaceAll("_", " ")}: ${[says].flat().join(", ")}`,
      ),
      `Addresses  ${supported.addresses}`,
    ].join("\n"),
  );
  return 0;
}
