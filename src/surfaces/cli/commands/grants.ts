// pdpp grants: issues, lists, shows, edits, pauses and revokes grants.
import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { FILE_POWERS } from "../../../contract/file-access.ts";
import type { IssuedGrant } from "../../../contract/grant.ts";
import type { GrantRequest } from "../../../contract/grant-request.ts";
import { ID_PREFIX } from "../../../contract/ids.ts";
import { mayWords } from "../../../core/grant-words.ts";
import { type Command, type CommandContext, duration, instant, list, text, UsageError } from "../command.ts";
import { nextCommand } from "../next-command.ts";
import { plainJson } from "../printable.ts";
import { recordFilterIn } from "../record-filter.ts";
import { count } from "../table.ts";
import { editGrant, pauseGrant, restoreGrant, resumeGrant } from "./grants-changed.ts";
import { listGrants, revokeGrant, showGrant } from "./grants-shown.ts";

export const grants: Command = {
  summary: "what apps may read: issue, list, show, edit, pause, resume, revoke, undo",
  usage:
    "pdpp grants issue (--all | --connection ID … [--stream S …] [--fields a,b | --view V] [--since T] [--until T]\n" +
    "                 [--filter FIELD=VALUE …] [--resources ID,ID]) [--expires 1h] [--single-use] [--client-name X] [--purpose TEXT]\n" +
    "       pdpp grants issue --files [--root PATH|ID …] [--may navigate,index,curate,download] [--expires 1h] …\n" +
    "                 a token for /files/mcp and /api: all roots and all four powers unless --root or --may narrow them\n" +
    "       pdpp grants list [--client ID] [--status active|paused|revoked|expired|consumed]\n" +
    "       pdpp grants edit ID [--connection ID …] [--stream S …] [--fields a,b | --view V] [--since T] [--until T]\n" +
    "                 [--filter FIELD=VALUE …|none] [--resources ID,ID] [--expires 1h|never]\n" +
    "                 keeps everything that the options do not change; --stream and --connection replace the whole selection\n" +
    "       pdpp grants show ID | pause ID | resume ID | revoke ID | undo ID",
  examples: [
    "pdpp grants issue --all --expires 1d --client-name notebook",
    "pdpp grants issue --connection cin_… --stream transactions --fields booked_on,amount --since 2025-01-01",
    "pdpp grants issue --connection cin_… --stream messages --single-use",
    "pdpp grants issue --connection cin_… --stream transactions --filter category=Groceries",
    "pdpp grants issue --files --root /home/nora/Photos --may navigate --expires 1d",
    "pdpp grants list",
    "pdpp grants list --status active",
    "pdpp grants show grt_…",
    "pdpp grants edit grt_… --since 2026-01-01 --fields id,subject,sent_at",
    "pdpp grants edit grt_… --expires 30d",
    "pdpp grants pause grt_…",
    "pdpp grants resume grt_…",
    "pdpp grants revoke grt_…",
    "pdpp grants undo grt_…",
  ],
  actions: ["issue", "list", "show", "edit", "pause", "resume", "revoke", "undo"],
  options: {
    all: { type: "boolean", about: "issue: every connection and stream" },
    connection: {
      type: "string",
      multiple: true,
      value: "ID",
      about: "issue, edit: this connection; can be repeated",
    },
    stream: {
      type: "string",
      multiple: true,
      value: "STREAM",
      about: "issue, edit: only this stream; can be repeated",
    },
    fields: {
      type: "string",
      multiple: true,
      value: "FIELD,…",
      about: "issue, edit: only these fields (edit: all removes the limit)",
    },
    view: { type: "string", value: "VIEW", about: "issue, edit: only the fields of this view" },
    since: {
      type: "string",
      value: "TIME",
      about: "issue, edit: only records since this time (edit: 'none' removes the limit)",
    },
    until: {
      type: "string",
      value: "TIME",
      about: "issue, edit: only records before this time (edit: 'none' removes the limit)",
    },
    resources: {
      type: "string",
      multiple: true,
      value: "ID,…",
      about: "issue, edit: only these records (edit: all removes the limit)",
    },
    filter: {
      type: "string",
      multiple: true,
      value: "FIELD=VALUE",
      about: "issue, edit: only one chat, folder or category; can be repeated; edit: 'none' removes the limit",
    },
    files: { type: "boolean", about: "issue: a token for the disks (/files/mcp and /api)" },
    root: {
      type: "string",
      multiple: true,
      value: "PATH|ID",
      about: "issue --files: only this root; can be repeated",
    },
    may: {
      type: "string",
      multiple: true,
      value: "POWER,…",
      about: "issue --files, edit: any of navigate, index, curate, download (issue: all four by default)",
    },
    expires: {
      type: "string",
      value: "DURATION",
      about: "issue, edit: the grant ends after this time, such as 1h or 30d (edit: 'never' removes the limit)",
    },
    "client-name": { type: "string", value: "NAME", about: "issue: the name of the app" },
    purpose: { type: "string", value: "TEXT", about: "issue: why the app reads the data" },
    "single-use": { type: "boolean", about: "issue: one token, valid for at most an hour, that cannot be renewed" },
    client: { type: "string", value: "ID", about: "list: only grants of this app" },
    status: { type: "string", value: "STATUS", about: "list: active, paused, revoked, expired or consumed" },
  },
  async run(context) {
    const [action, id, ...rest] = context.positionals;
    if (rest.length > 0) throw new UsageError(`unexpected argument ${JSON.stringify(rest[0])}`);
    if (action === "issue" && id === undefined) return issue(context);
    if (action === "list" && id === undefined) return listGrants(context);
    if (action === "show" && id !== undefined) return showGrant(context, id);
    if (action === "revoke" && id !== undefined) return revokeGrant(context, id);
    if (action === "edit" && id !== undefined) return editGrant(context, id);
    if (action === "pause" && id !== undefined) return pauseGrant(context, id);
    if (action === "resume" && id !== undefined) return resumeGrant(context, id);
    if (action === "undo" && id !== undefined) return restoreGrant(context, id);
    throw new UsageError("choose a subcommand: issue, list, show, edit, pause, resume, revoke or undo");
  },
};

async function issue(context: CommandContext): Promise<number> {
  const { values, json, out, note } = context;
  const request = requestFrom(values);
  const body = await context.call("issueGrant", request);
  if (json) {
    out(plainJson(JSON.stringify(body)));
    return 0;
  }
  const issued = body;
  const expiry = issued.expires_at === undefined ? "until revoked" : `until ${issued.expires_at}`;
  out(issued.access_token);
  note(`${issued.grant_id ?? issued.grant_package_id}: ${whatFor(issued)}, ${expiry}.`);
  note(
    `The token is shown once. Revoke it with: ${nextCommand(context, ["grants", "revoke", (issued.grant_id ?? issued.grant_package_id)!])}`,
  );
  return 0;
}

function whatFor({ grants: issued }: IssuedGrant): string {
  const may = issued[0]?.files?.may;
  if (may !== undefined) return `may ${mayWords(may, count(issued.length, "root"))}`;
  const streams = issued.reduce((sum, grant) => sum + grant.streams.length, 0);
  return `${count(streams, "stream")} of ${count(issued.length, "connection")}`;
}

function requestFrom(values: CommandContext["values"]): GrantRequest {
  return {
    ...(values.files === true ? { files: filesFrom(values) } : recordsFrom(values)),
    client_name: text(values, "client-name"),
    purpose_description: text(values, "purpose"),
    expires_in_seconds: duration(values, "expires"),
    ...(values["single-use"] === true ? { access_mode: "single_use" as const } : {}),
  };
}

const OF_RECORDS = ["all", "connection", "stream", "fields", "view", "since", "until", "filter", "resources"];

function filesFrom(values: CommandContext["values"]): NonNullable<GrantRequest["files"]> {
  const other = OF_RECORDS.find((name) => values[name] !== undefined);
  if (other !== undefined) throw new UsageError(`--${other} is for records; --files accepts --root and --may`);
  const may = list(values, "may")?.map((word) => {
    const power = FILE_POWERS.find((known) => known === word);
    if (power === undefined)
      throw new UsageError(
        `--may takes a comma-separated list of ${FILE_POWERS.join(", ")}, not ${JSON.stringify(word)}`,
      );
    return power;
  });
  const named = [values.root ?? []].flat().map(String);
  return { roots: named.length === 0 ? undefined : named.map((name) => rootName(name, values)), may };
}

/**
 * Converts a path to the form in which roots are stored: absolute, with links resolved. Paths on a server are left
 * unchanged.
 */
function rootName(name: string, { server }: CommandContext["values"]): string {
  if (name.startsWith(ID_PREFIX.connection) || server !== undefined) return name;
  try {
    return realpathSync(name);
  } catch {
    return resolve(name);
  }
}

function recordsFrom(values: CommandContext["values"]): Pick<GrantRequest, "all" | "selections"> {
  const connections = list(values, "connection") ?? [];
  if ((values.all === true) === connections.length > 0)
    throw new UsageError("specify one of --all, --connection ID and --files");
  const files = ["root", "may"].find((name) => values[name] !== undefined);
  if (files !== undefined) throw new UsageError(`--${files} can only be used with --files`);
  const streams = list(values, "stream");
  const selection = {
    fields: list(values, "fields"),
    view: text(values, "view"),
    since: instant(values, "since"),
    until: instant(values, "until"),
    record_filter: recordFilterIn(values),
    resources: list(values, "resources"),
  };
  const { record_filter: filter, ...others } = selection;
  const narrowing = Object.entries({ stream: streams, filter, ...others }).find(
    ([, value]) => value !== undefined,
  )?.[0];
  if (values.all === true && narrowing !== undefined)
    throw new UsageError(`--${narrowing} can only be used with --connection, not with --all`);
  if (values.all === true) return { all: true };
  return {
    selections: connections.flatMap((connection_id) =>
      (streams ?? [undefined]).map((stream) => ({ connection_id, stream, ...selection })),
    ),
  };
}
