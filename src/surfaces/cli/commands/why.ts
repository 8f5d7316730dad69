// pdpp why: explains a denied call: what the app requested, which line of the grant caused the refusal, and what the
// owner can do.
import type { Denial } from "../../../contract/activity.ts";
import { answer, type Command, type CommandContext, UsageError } from "../command.ts";
import { withGivenPlace } from "../next-command.ts";
import { printable } from "../printable.ts";
import { whyLines } from "../why-lines.ts";

const NEXT_MAX = 4000;

export const why: Command = {
  summary: "why a call was denied: the part of the grant that denied it",
  usage: "pdpp why REQUEST_ID",
  examples: ["pdpp why req_…", "pdpp why req_… --json"],
  options: {},
  async run(context) {
    const [requestId, ...rest] = context.positionals;
    if (requestId === undefined || rest.length > 0)
      throw new UsageError(
        "specify one request id: errors contain it as request_id, and `pdpp activity --json` lists the ids",
      );
    const body = await context.call("why", { request_id: requestId });
    answer(context, body, ({ data }) => data.map((denial) => denialText(denial, context)).join("\n"));
    return 0;
  },
};

function denialText({ call, app, why: reason, grants, next_step }: Denial, context: CommandContext): string {
  const { stream, connection_id, field, power } = call.asked ?? {};
  const asked = [
    call.action,
    ...(stream === undefined ? [] : [`stream ${stream}`]),
    ...(field === undefined ? [] : [`field ${field}`]),
    ...(connection_id === undefined ? [] : [`connection ${connection_id}`]),
    ...(power === undefined ? [] : [`to ${power}`]),
  ];
  const lines = [
    `who      ${printable(app === undefined ? call.actor : `${app} (${call.client_id ?? call.actor})`, 300)}`,
    `when     ${call.at}`,
    `asked    ${printable(asked.join(", "), 800)}`,
    `outcome  ${printable(call.outcome)}`,
    ...(reason === undefined
      ? ["why      the cause was not a grant"]
      : whyLines(reason).map((line) => line.replace(/^why: /, "why      "))),
    ...grants.map(({ grant_id, status }) => `now      ${grant_id} is ${status}`),
    printable(withGivenPlace(context, next_step), NEXT_MAX),
  ];
  return `${lines.join("\n")}\n`;
}
