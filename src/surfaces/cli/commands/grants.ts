// pdpp grants: issue, list, show and revoke what apps may read.
import type { IssuedGrant } from "../../../contract/grant.ts";
import type { GrantRequest } from "../../../contract/grant-request.ts";
import { type Command, type CommandContext, duration, instant, list, text, UsageError } from "../command.ts";
import { nextCommand } from "../next-command.ts";
import { plainJson } from "../printable.ts";
import { count } from "../table.ts";
import { listGrants, revokeGrant, showGrant } from "./grants-shown.ts";

export const grants: Command = {
  summary: "what apps may read: issue, list, show, revoke",
  usage:
    "pdpp grants issue (--all | --connection ID … [--stream S …] [--fields a,b | --view V] [--since T] [--until T] [--resources ID,ID])\n" +
    "                 [--expires 1h] [--single-use] [--client-name X] [--purpose TEXT]\n" +
    "       pdpp grants list [--client ID] [--status active|revoked|expired|consumed]\n" +
    "       pdpp grants show ID | revoke ID",
  examples: [
    "pdpp grants issue --all --expires 1d --client-name notebook",
    "pdpp grants issue --connection cin_… --stream transactions --fields booked_at,amount --since 2025-01-01",
    "pdpp grants issue --connection cin_… --stream messages --stream threads --single-use",
    "pdpp grants list",
    "pdpp grants list --status active",
    "pdpp grants show grt_…",
    "pdpp grants revoke grt_…",
  ],
  options: {
    all: { type: "boolean" },
    connection: { type: "string", multiple: true },
    stream: { type: "string", multiple: true },
    fields: { type: "string", multiple: true },
    view: { type: "string" },
    since: { type: "string" },
    until: { type: "string" },
    resources: { type: "string", multiple: true },
    expires: { type: "string" },
    "client-name": { type: "string" },
    purpose: { type: "string" },
    "single-use": { type: "boolean" },
    client: { type: "string" },
    status: { type: "string" },
  },
  async run(context) {
    const [action, id, ...rest] = context.positionals;
    if (rest.length > 0) throw new UsageError(`what is ${JSON.stringify(rest[0])}?`);
    if (action === "issue" && id === undefined) return issue(context);
    if (action === "list" && id === undefined) return listGrants(context);
    if (action === "show" && id !== undefined) return showGrant(context, id);
    if (action === "revoke" && id !== undefined) return revokeGrant(context, id);
    throw new UsageError("say issue, list, show ID or revoke ID");
  },
};

async function issue(context: CommandContext): Promise<number> {
  const { values, json, out, note, connect } = context;
  const { host, credential } = await connect();
  const body = await host.call("issueGrant", requestFrom(values), credential);
  if (json) {
    out(plainJson(body));
    return 0;
  }
  const issued = JSON.parse(body) as IssuedGrant;
  const streams = issued.grants.reduce((sum, grant) => sum + grant.streams.length, 0);
  const expiry = issued.expires_at === undefined ? "until revoked" : `until ${issued.expires_at}`;
  out(issued.access_token);
  note(
    `${issued.grant_id ?? issued.grant_package_id}: ${count(streams, "stream")} of ${count(issued.grants.length, "connection")}, ${expiry}.`,
  );
  note(
    `The token is shown once. Take it back with: ${nextCommand(context, ["grants", "revoke", (issued.grant_id ?? issued.grant_package_id)!])}`,
  );
  return 0;
}

function requestFrom(values: CommandContext["values"]): GrantRequest {
  const connections = list(values, "connection") ?? [];
  if ((values.all === true) === connections.length > 0) throw new UsageError("say either --all or --connection ID");
  const streams = list(values, "stream");
  const selection = {
    fields: list(values, "fields"),
    view: text(values, "view"),
    since: instant(values, "since"),
    until: instant(values, "until"),
    resources: list(values, "resources"),
  };
  const narrowing = Object.entries({ stream: streams, ...selection }).find(([, value]) => value !== undefined)?.[0];
  if (values.all === true && narrowing !== undefined)
    throw new UsageError(`--${narrowing} narrows a --connection, not --all`);
  return {
    ...(values.all === true
      ? { all: true }
      : {
          selections: connections.flatMap((connection_id) =>
            (streams ?? [undefined]).map((stream) => ({ connection_id, stream, ...selection })),
          ),
        }),
    client_name: text(values, "client-name"),
    purpose_description: text(values, "purpose"),
    expires_in_seconds: duration(values, "expires"),
    ...(values["single-use"] === true ? { access_mode: "single_use" as const } : {}),
  };
}
