// pdpp activity: what was read and done, by whom; and whether the log is whole.
import type { Activity, ActivityList, ActivityVerification } from "../../../contract/activity.ts";
import { answer, type Command, type CommandContext, text, UsageError, wholeNumber } from "../command.ts";
import { nextCommand, sameCommand } from "../next-command.ts";
import { count, table } from "../table.ts";

export const activity: Command = {
  summary: "what was read, by whom; whether the log is whole",
  usage: "pdpp activity [--grant ID] [--limit N] [--before N]\n       pdpp activity verify",
  examples: [
    "pdpp activity",
    "pdpp activity --grant grt_… --limit 100",
    "pdpp activity verify",
    "pdpp activity verify --json",
  ],
  options: { grant: { type: "string" }, limit: { type: "string" }, before: { type: "string" } },
  async run(context) {
    const [action, ...rest] = context.positionals;
    if (rest.length > 0 || (action !== undefined && action !== "verify"))
      throw new UsageError("say pdpp activity, or pdpp activity verify");
    return action === "verify" ? verify(context) : list(context);
  },
};

async function list(context: CommandContext): Promise<number> {
  const { values } = context;
  const { host, credential } = await context.connect();
  const request = {
    grant_id: text(values, "grant"),
    limit: wholeNumber(values, "limit", 1),
    before: wholeNumber(values, "before"),
  };
  const body = await host.call("activity", request, credential);
  // Nothing at all under a grant: a grant that was not used yet, or none; the second says so.
  const empty = request.grant_id !== undefined && (JSON.parse(body) as ActivityList).data.length === 0;
  if (empty) await host.call("grant", { id: request.grant_id! }, credential);
  answer<ActivityList>(
    context,
    body,
    ({ data }) => {
      if (data.length === 0) return values.before === undefined ? "Nothing was read yet." : "Nothing earlier.";
      return table(["n", "at", "who", "what", "stream", "records", "bytes", "outcome"], data.map(cells), {
        whole: [0, 2],
      });
    },
    ({ data, meta: { next_before: before } }) => {
      const denied = data.find((row) => row.outcome !== "ok" && row.actor !== "owner");
      const hints = [
        ...(denied === undefined
          ? []
          : [`Why was ${denied.n} denied: ${nextCommand(context, ["why", denied.request_id])}`]),
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

async function verify(context: CommandContext): Promise<number> {
  const { host, credential } = await context.connect();
  const body = await host.call("verifyActivity", {}, credential);
  const { intact } = JSON.parse(body) as ActivityVerification;
  answer<ActivityVerification>(context, body, (verdict) =>
    verdict.intact
      ? `The log is whole: ${count(verdict.entries, "entry", "entries")}, each chained to the one before.`
      : `The log is broken at entry ${verdict.broken_at}: ${verdict.reason}. The ${count(verdict.entries, "entry", "entries")} before fit.\n` +
        "Someone changed the file, or the disk is failing: keep a copy of the home, compare it with a backup, run `pdpp doctor`.",
  );
  return intact ? 0 : 1;
}
