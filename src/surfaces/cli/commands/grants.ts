// pdpp grants: issue, list, show and revoke what apps may read.
import type { GrantSummary, IssuedGrant } from "../../../contract/grant.ts";
import type { GrantRequest } from "../../../contract/grant-request.ts";
import { type Command, type CommandContext, duration, instant, list, text, timeSpan, UsageError } from "../command.ts";
import { nextCommand } from "../next-command.ts";
import { plainJson, printable } from "../printable.ts";
import { count, table } from "../table.ts";

export const grants: Command = {
  summary: "what apps may read: issue, list, show, revoke",
  usage:
    "pdpp grants issue (--all | --connection ID … [--stream S …] [--fields a,b | --view V] [--since T] [--until T] [--resources ID,ID])\n" +
    "                 [--expires 1h] [--single-use] [--client-name X] [--purpose TEXT]\n" +
    "       pdpp grants list | show ID | revoke ID",
  examples: [
    "pdpp grants issue --all --expires 1d --client-name notebook",
    "pdpp grants issue --connection cin_… --stream transactions --fields booked_at,amount --since 2025-01-01",
    "pdpp grants issue --connection cin_… --stream messages --stream threads --single-use",
    "pdpp grants list",
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
  },
  async run(context) {
    const [action, id, ...rest] = context.positionals;
    if (rest.length > 0) throw new UsageError(`what is ${JSON.stringify(rest[0])}?`);
    if (action === "issue" && id === undefined) return issue(context);
    if (action === "list" && id === undefined) return show(context);
    if (action === "show" && id !== undefined) return show(context, id);
    if (action === "revoke" && id !== undefined) return revoke(context, id);
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

async function show({ json, out, connect }: CommandContext, id?: string): Promise<number> {
  const { host, credential } = await connect();
  const body =
    id === undefined ? await host.call("grants", {}, credential) : await host.call("grant", { id }, credential);
  if (json) {
    out(plainJson(body));
    return 0;
  }
  const parsed = JSON.parse(body) as GrantSummary | { data?: GrantSummary[]; grants?: GrantSummary[] };
  const rows = "grant" in parsed ? [parsed] : (parsed.data ?? parsed.grants ?? []);
  if (rows.length === 0) out("No grants yet. `pdpp grants issue --all` gives one.");
  else if (id === undefined) out(table(["grant", "app", "status", "reads", "last used"], rows.map(summaryRow)));
  else for (const row of rows) out(details(row));
  return 0;
}

function summaryRow({ grant, status, last_used_at, grant_package_id }: GrantSummary): string[] {
  const streams = grant.streams.map((stream) => stream.name).join(", ");
  const id = grant_package_id === undefined ? grant.grant_id : `${grant.grant_id} (of ${grant_package_id})`;
  return [id, grant.client.client_display?.name ?? grant.client.client_id, status, streams, last_used_at ?? "never"];
}

function details({ grant, status, last_used_at }: GrantSummary): string {
  const lines = [
    `${grant.grant_id}  ${status}`,
    `  app        ${printable(grant.client.client_display?.name ?? grant.client.client_id, 200)}`,
    `  source     ${printable(grant.source.id, 200)}`,
    `  issued     ${grant.issued_at}`,
    `  expires    ${grant.expires_at ?? "when revoked"}`,
    `  last used  ${last_used_at ?? "never"}`,
  ];
  for (const stream of grant.streams) {
    const time = stream.time_constraint;
    const span = time === undefined ? "" : `, ${time.field} ${timeSpan(time)}`;
    const only = stream.resources === undefined ? "" : `, only ${stream.resources.length} records`;
    lines.push(
      `  ${printable(`${stream.name} (${stream.instance_ids.join(", ")}): ${stream.fields.join(", ")}${span}${only}`, 4000)}`,
    );
  }
  return `${lines.join("\n")}\n`;
}

async function revoke({ json, out, connect }: CommandContext, id: string): Promise<number> {
  const { host, credential } = await connect();
  const body = await host.call("revokeGrant", { id }, credential);
  out(
    json
      ? plainJson(body)
      : `Revoked ${(JSON.parse(body) as { revoked: string[] }).revoked.join(", ")}. The next request under it is refused.`,
  );
  return 0;
}
