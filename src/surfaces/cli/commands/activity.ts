// pdpp activity: lists reads and actions with the app or person behind each, and verifies the log.
import type { Activity } from "../../../contract/activity.ts";
import { isDenial } from "../../../contract/errors.ts";
import {
  answer,
  type Command,
  type CommandContext,
  instant,
  oneOf,
  text,
  UsageError,
  wholeNumber,
} from "../command.ts";
import { nextCommand, sameCommand } from "../next-command.ts";
import { bar, progress } from "../progress.ts";
import { count, table } from "../table.ts";

/** The interval between progress requests during a verification. */
const WATCH_MS = 500;

export const activity: Command = {
  summary: "which app read what, and when; verify the log",
  usage:
    "pdpp activity [--by owner|app] [--client ID] [--grant ID] [--connection ID] [--stream S] [--action A]\n" +
    "                     [--outcome ok|denied] [--request ID] [--since T] [--until T] [--limit N] [--before N]\n" +
    "       pdpp activity days [the same filters, without --limit and --before] [--time-zone ZONE]\n" +
    "       pdpp activity verify",
  examples: [
    "pdpp activity",
    "pdpp activity --grant grt_… --limit 100",
    "pdpp activity --by app --outcome denied --since 2025-01-01",
    "pdpp activity days --by app",
    "pdpp activity verify",
    "pdpp activity verify --json",
  ],
  actions: ["days", "verify"],
  options: {
    by: { type: "string", value: "owner|app", about: "only calls by the owner, or only calls by apps" },
    client: { type: "string", value: "ID", about: "only this app" },
    grant: { type: "string", value: "ID", about: "only this grant" },
    connection: { type: "string", value: "ID", about: "only this connection" },
    stream: { type: "string", value: "STREAM", about: "only this stream" },
    action: { type: "string", value: "ACTION", about: "only this call" },
    outcome: {
      type: "string",
      value: "ok|denied",
      about: "only calls that succeeded, or only calls that were denied",
    },
    request: { type: "string", value: "ID", about: "only this request" },
    since: { type: "string", value: "TIME", about: "only calls since this time" },
    until: { type: "string", value: "TIME", about: "only calls before this time" },
    limit: { type: "string", value: "N", about: "at most this many lines" },
    before: { type: "string", value: "N", about: "only lines before this number" },
    "time-zone": {
      type: "string",
      value: "ZONE",
      about: "days: the time zone in which days begin, such as Europe/Lisbon",
    },
  },
  async run(context) {
    const [action, ...rest] = context.positionals;
    if (rest.length > 0 || (action !== undefined && !["days", "verify"].includes(action)))
      throw new UsageError("choose pdpp activity, pdpp activity days, or pdpp activity verify");
    if (action === undefined) return list(context);
    return action === "days" ? days(context) : verify(context);
  },
};

function filterFrom({ values }: CommandContext) {
  return {
    actor: oneOf(values, "by", ["owner", "app"]),
    client_id: text(values, "client"),
    grant_id: text(values, "grant"),
    connection_id: text(values, "connection"),
    stream: text(values, "stream"),
    action: text(values, "action"),
    outcome: oneOf(values, "outcome", ["ok", "denied"]),
    request_id: text(values, "request"),
    since: instant(values, "since"),
    until: instant(values, "until"),
  };
}

async function list(context: CommandContext): Promise<number> {
  const { values } = context;
  const filter = filterFrom(context);
  const request = {
    ...filter,
    limit: wholeNumber(values, "limit", 1),
    before: wholeNumber(values, "before"),
  };
  const body = await context.call("activity", request);
  // A grant without entries was never used, or does not exist. If it does not exist, an error is reported.
  const empty = request.grant_id !== undefined && body.data.length === 0;
  if (empty) await context.call("grant", { id: request.grant_id! });
  answer(
    context,
    body,
    ({ data }) => {
      if (data.length === 0) {
        if (Object.values(filter).some((value) => value !== undefined)) return "No matching lines.";
        return values.before === undefined ? "Nothing has been read yet." : "Nothing earlier.";
      }
      return table(["n", "at", "who", "what", "stream", "records", "bytes", "outcome"], data.map(cells), {
        whole: [0, 2],
      });
    },
    ({ data, meta: { next_before: before } }) => {
      const denied = data.find((row) => isDenial(row.outcome) && row.actor !== "owner");
      const hints = [
        ...(denied === undefined
          ? []
          : [`To see why ${denied.n} was denied: ${nextCommand(context, ["why", denied.request_id])}`]),
        ...(before === undefined ? [] : [`Earlier: ${sameCommand(context, "activity", { before: String(before) })}`]),
      ];
      return hints.length === 0 ? undefined : hints.join("\n");
    },
  );
  return 0;
}

function cells(row: Activity): string[] {
  const who = row.grant_id ?? row.client_id ?? row.actor;
  return [
    String(row.n),
    row.at,
    who,
    row.action,
    row.stream ?? row.asked?.stream ?? "",
    String(row.records),
    String(row.bytes),
    row.outcome,
  ];
}

async function days(context: CommandContext): Promise<number> {
  const query = { ...filterFrom(context), time_zone: text(context.values, "time-zone") };
  answer(
    context,
    await context.call("activityDays", query),
    ({ data }) =>
      data.length === 0
        ? "Nothing on these days."
        : table(
            ["day", "calls", "denied", "records", "bytes", "streams"],
            data.map(({ day, calls, denied, records, bytes: size, streams }) => [
              day,
              ...[calls, denied, records, size].map(String),
              streams.map(({ stream }) => stream).join(", "),
            ]),
          ),
    ({ counted_from: from }) =>
      from === undefined ? undefined : `Counts start at ${from}; earlier calls are not included.`,
  );
  return 0;
}

async function verify(context: CommandContext): Promise<number> {
  const show = progress();
  const ask = async (): Promise<void> => {
    // Older servers do not report progress.
    const now = await context.call("activityVerificationProgress", {}).catch(() => undefined);
    if (now?.running === true && now.of > 0)
      show(`${bar(now.entries / now.of)}${now.entries} of ${count(now.of, "entry", "entries")} checked`);
  };
  const watch = context.json || !process.stderr.isTTY ? undefined : setInterval(ask, WATCH_MS);
  const body = await context.call("verifyActivity", {}).finally(() => clearInterval(watch));
  show(undefined);
  const { intact } = body;
  answer(context, body, (verdict) =>
    verdict.intact
      ? `The log is intact: ${count(verdict.entries, "entry", "entries")}, each chained to the one before.` +
        (verdict.gaps === undefined
          ? ""
          : `\n${count(verdict.gaps, "entry reports", "entries report")} that calls may be missing because a server or command ended unexpectedly: pdpp activity --action uncleanStop`)
      : `The log is broken at entry ${verdict.broken_at}: ${verdict.reason}. ${count(verdict.entries, "entry before it is", "entries before it are")} intact.\n` +
        "Either someone changed the file or the disk is failing. Keep a copy of the home, compare it with a backup, and run `pdpp doctor`.",
  );
  return intact ? 0 : 1;
}
