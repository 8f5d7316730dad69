// pdpp connectors run: runs on the home's server if one is running, otherwise in this process. Questions are asked at
// this terminal.

import { setTimeout as sleep } from "node:timers/promises";
import { leaveNote } from "../../../collect/connectors/run-folder.ts";
import type { CollectRun } from "../../../contract/collect.ts";
import { counted } from "../../../core/counted.ts";
import { type CommandContext, UsageError } from "../command.ts";
import { interrupted } from "../importing/import-paths.ts";
import { nextCommand } from "../next-command.ts";
import { printable } from "../printable.ts";
import { progress } from "../progress.ts";
import { answerOnServer, askAtTerminal, serverBeside } from "./questions.ts";
import { setupNamed } from "./setups.ts";
import { runText } from "./show.ts";
import { atTerminal } from "./values.ts";

const LOOK_MS = 250;
const isOpen = ({ status }: CollectRun): boolean => status === "queued" || status === "running";

export async function run(context: CommandContext, [named, ...rest]: string[]): Promise<number> {
  if (named === undefined || rest.length > 0)
    throw new UsageError("run takes one ID: a connection or the key of a connector");
  // Checked before this process opens the home.
  const beside = serverBeside(context);
  const { connection_id } = await setupNamed(context, named);
  const mode = context.values.full === true ? ("full_refresh" as const) : ("incremental" as const);
  const { signal, end } = interrupted();
  try {
    const here = context.values.server === undefined && beside === undefined;
    const id = here
      ? await runHere(context, connection_id, mode, signal)
      : await runThere(context, { connection_id, mode }, beside, signal);
    return await report(context, id);
  } finally {
    end();
  }
}

async function report(context: CommandContext, id: string): Promise<number> {
  const done = await context.call("collectRun", { id });
  if (context.json) context.out(JSON.stringify(done));
  else {
    context.out(runText(done));
    if (done.status === "failed") context.note(`Log: ${nextCommand(context, ["connectors", "logs", id])}`);
  }
  if (done.status !== "succeeded") return 1;
  return done.counts.rejected > 0 ? 7 : 0;
}

/** Runs the connector in this process, because no server has this home open. */
async function runHere(
  context: CommandContext,
  connectionId: string,
  mode: CollectRun["mode"],
  signal: AbortSignal,
): Promise<string> {
  const { host, home = context.home } = await context.connect();
  const { ConnectorRunner } = await import("../../../collect/connectors/runner.ts");
  const runner = new ConnectorRunner({
    home,
    host,
    log: context.note,
    only: connectionId,
    ...(atTerminal() ? { ask: askAtTerminal(context) } : {}),
  });
  const line = progress({ lines: true });
  try {
    const running = runner.run(connectionId, { mode, signal });
    let over = false;
    const settle = (): void => {
      over = true;
    };
    running.then(settle, settle);
    while (!over) {
      await Promise.race([running.catch(() => undefined), sleep(LOOK_MS)]);
      const [now] = (await context.call("collectRuns", { connection_id: connectionId })).data;
      if (!over && now !== undefined && now.question === undefined) line(progressLine(now));
    }
    return (await running).run_id;
  } finally {
    line(undefined);
    await runner.close();
  }
}

/** A server runs the connector. This command shows its progress and passes answers on. */
async function runThere(
  context: CommandContext,
  query: { connection_id: string; mode: CollectRun["mode"] },
  beside: string | undefined,
  signal: AbortSignal,
): Promise<string> {
  const { run_id: id } = await context.call("startCollect", query);
  if (beside !== undefined) leaveNote(context.home);
  const line = progress({ lines: true });
  let askedId: string | undefined;
  for (;;) {
    const now = await context.call("collectRun", { id });
    if (!isOpen(now)) break;
    if (signal.aborted) {
      await context.call("cancelCollect", { id }).catch(() => undefined);
      if (beside !== undefined) leaveNote(context.home);
      break;
    }
    const { question } = now;
    if (question === undefined) line(progressLine(now));
    else if (question.request_id !== askedId) {
      askedId = question.request_id;
      line(undefined);
      if (atTerminal()) {
        const values = await askAtTerminal(context)(question, signal);
        await answerOnServer(
          context,
          { id, request_id: question.request_id, ...(values ? { values } : { refuse: true }) },
          beside,
        );
      } else
        context.note(
          `The connector needs an answer: ${printable(question.message, 500)}\nAnswer: ${nextCommand(context, ["connectors", "answer", id])}`,
        );
    }
    await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
  line(undefined);
  return id;
}

function progressLine({ status, counts, progress: said }: CollectRun): string {
  if (status === "queued") return "queued";
  const share = said?.total === undefined || said.count === undefined ? "" : ` (${said.count} of ${said.total})`;
  return printable(
    `${counted(counts.received, "record")}${said === undefined ? "" : `, ${said.message}${share}`}`,
    200,
  );
}
