// pdpp schedules: manages connections that are updated on a schedule, such as connectors, disks and watched folders.
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { leaveNote } from "../../../collect/connectors/run-folder.ts";
import type { Schedule, Timing } from "../../../contract/schedule.ts";
import { plainLine } from "../../../core/unsafe-characters.ts";
import type { QueryOf } from "../../../engine/calls/calls.ts";
import { answer, type Command, type CommandContext, duration, text, UsageError } from "../command.ts";
import { serverBeside } from "../connecting/questions.ts";
import { jsonFile } from "../input.ts";
import { table } from "../table.ts";

export const schedules: Command = {
  summary: "update connections on a schedule: connectors, disks, watched folders",
  usage:
    "pdpp schedules [list] | show ID\n" +
    "       pdpp schedules set CONNECTION --every 1h | --cron '0 6 * * *' [--zone Z]\n" +
    "       pdpp schedules watch DIR --every 10m [--as NAME] [--answers FILE]\n" +
    "       pdpp schedules run | pause | resume | remove ID",
  details: "The schedule of a connection has the connection's id. A running server starts the runs that are due.",
  examples: [
    "pdpp schedules",
    "pdpp schedules set cin_… --every 1h",
    "pdpp schedules set cin_… --cron '0 6 * * *' --zone Europe/Berlin",
    "pdpp schedules watch ~/Exports --every 10m",
    "pdpp schedules run cin_…",
    "pdpp schedules pause cin_…",
  ],
  actions: ["list", "show", "set", "watch", "run", "pause", "resume", "remove"],
  options: {
    every: { type: "string", value: "DURATION", about: "run at this interval, such as 10m or 1h" },
    cron: { type: "string", value: "EXPRESSION", about: "run at these times: minute, hour, day, month, weekday" },
    zone: { type: "string", value: "ZONE", about: "the time zone of --cron, such as Europe/Berlin" },
    as: { type: "string", value: "NAME", about: "watch: the name of the connection" },
    answers: {
      type: "string",
      value: "FILE",
      about: "watch: answers to the importers' questions, as for `pdpp import`",
    },
  },
  async run(context) {
    const [action = "list", id, ...rest] = context.positionals;
    if (rest.length > 0) throw new UsageError(`unexpected argument ${JSON.stringify(rest[0])}`);
    if (action === "list" && id === undefined) return list(context);
    if (id === undefined)
      throw new UsageError("choose a subcommand: list, show, set, watch, run, pause, resume or remove");
    switch (action) {
      case "show":
        return tell(context, "schedule", { id });
      case "set":
        return plan(context, "putSchedule", { connection_id: id, ...timing(context) });
      case "watch":
        // If the server is on another machine, only that server can check the folder.
        if (context.values.server === undefined && !statSync(resolve(id), { throwIfNoEntry: false })?.isDirectory())
          throw new UsageError(`there is no folder ${resolve(id)}; create it first, or correct its path`);
        return plan(context, "watchFolder", { folder: resolve(id), ...timing(context), ...(await reading(context)) });
      case "run":
        return plan(context, "runSchedule", { id });
      case "pause":
        return tell(context, "pauseSchedule", { id });
      case "resume":
        return plan(context, "resumeSchedule", { id });
      case "remove":
        return remove(context, id);
    }
    throw new UsageError("choose a subcommand: list, show, set, watch, run, pause, resume or remove");
  },
};

function timing({ values }: CommandContext): Timing {
  const every_seconds = duration(values, "every");
  const cron = text(values, "cron");
  const time_zone = text(values, "zone");
  if ((every_seconds === undefined) === (cron === undefined))
    throw new UsageError("specify either --every 1h or --cron '0 6 * * *'");
  if (time_zone !== undefined && cron === undefined) throw new UsageError("--zone can only be used with --cron");
  return {
    ...(every_seconds === undefined ? {} : { every_seconds }),
    ...(cron === undefined ? {} : { cron }),
    ...(time_zone === undefined ? {} : { time_zone }),
  };
}

/** Reads the options that say how new files are imported. */
async function reading({ values }: CommandContext): Promise<{ as?: string; answers?: Record<string, string> }> {
  const as = text(values, "as");
  const answers = text(values, "answers");
  return {
    ...(as === undefined ? {} : { as }),
    ...(answers === undefined ? {} : { answers: (await jsonFile(answers)) as Record<string, string> }),
  };
}

async function list(context: CommandContext): Promise<number> {
  answer(context, await context.call("schedules", {}), ({ data }) =>
    data.length === 0
      ? "No schedules yet. To create one: pdpp schedules set CONNECTION --every 1h, or pdpp schedules watch DIR --every 10m."
      : table(
          ["schedule", "what", "when", "status", "next", "last"],
          data.map((one) => [
            one.schedule_id,
            whatOf(one),
            whenOf(one),
            one.status,
            one.next_run_at ?? "–",
            lastOf(one),
          ]),
        ),
  );
  return 0;
}

/** The calls that return one schedule. */
type ScheduleCall = "schedule" | "putSchedule" | "watchFolder" | "runSchedule" | "pauseSchedule" | "resumeSchedule";

async function tell<C extends ScheduleCall>(context: CommandContext, name: C, query: QueryOf<C>): Promise<number> {
  await context.connect({ create: true });
  const schedule: Schedule = await context.call(name, query);
  answer(context, schedule, (one) =>
    [
      `${one.schedule_id}  ${whatOf(one)}, ${whenOf(one)}`,
      `  ${one.status}${one.next_run_at === null ? "" : `, next at ${one.next_run_at}`}`,
      ...(one.last_run === null ? [] : [`  last: ${lastOf(one)}`]),
      ...(one.failures === 0 ? [] : [`  failed ${one.failures === 1 ? "once" : `${one.failures} times in a row`}`]),
    ].join("\n"),
  );
  return 0;
}

/** Tells a server that runs on this home to check its schedules at once. If there is no server, prints a note. */
async function plan<C extends ScheduleCall>(context: CommandContext, name: C, query: QueryOf<C>): Promise<number> {
  const { values, home, note } = context;
  const beside = serverBeside(context);
  const done = await tell(context, name, query);
  if (beside !== undefined) leaveNote(home);
  else if (values.server === undefined && !context.json)
    note("No server is running on this home. Schedules run only while a server runs: pdpp serve");
  return done;
}

async function remove(context: CommandContext, id: string): Promise<number> {
  answer(
    context,
    await context.call("deleteSchedule", { id }),
    () => `Removed the schedule of ${id}. The connection's records are kept.`,
  );
  return 0;
}

const whatOf = ({ target }: Schedule): string =>
  target.kind === "folder" ? plainLine(target.path, 60) : target.connection_id;

function whenOf({ every_seconds, cron, time_zone }: Schedule): string {
  if (every_seconds === undefined) return `cron ${cron}${time_zone === undefined ? "" : ` ${time_zone}`}`;
  for (const [unit, seconds] of [
    ["d", 86_400],
    ["h", 3600],
    ["m", 60],
  ] as const)
    if (every_seconds % seconds === 0) return `every ${every_seconds / seconds}${unit}`;
  return `every ${every_seconds}s`;
}

const lastOf = ({ last_run }: Schedule): string =>
  last_run === null
    ? "–"
    : `${last_run.status} ${last_run.ended_at}${last_run.message === undefined ? "" : `: ${plainLine(last_run.message, 120)}`}`;
