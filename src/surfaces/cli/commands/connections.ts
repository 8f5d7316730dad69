// pdpp connections: the configured accounts, archives and disks.
import type { StreamSummary } from "../../../contract/answers.ts";
import type { Health } from "../../../contract/schedule.ts";
import { connectionNotFound } from "../../../core/scope.ts";
import { plainLine } from "../../../core/unsafe-characters.ts";
import { answer, type Command, type CommandContext, text, UsageError } from "../command.ts";
import { nextCommand } from "../next-command.ts";
import { printable } from "../printable.ts";
import { agreed } from "../prompt.ts";
import { allConnections } from "../sources.ts";
import { count, table } from "../table.ts";

/** Verdicts that need no action. */
const QUIET: readonly Health["verdict"][] = ["ok", "by_hand", "never_read"];

export const connections: Command = {
  summary: "accounts, archives and disks: list, create, rename, delete",
  usage: "pdpp connections [list] [--connector KEY] | create CONNECTOR [--name X] | rename ID NAME | delete ID [--yes]",
  examples: [
    "pdpp connections",
    "pdpp connections --connector mail",
    "pdpp connections create mail --name 'Mail at work'",
    "pdpp connections rename cin_… 'Old mail'",
    "pdpp connections delete cin_… --yes",
  ],
  actions: ["list", "create", "rename", "delete"],
  options: {
    connector: { type: "string", value: "KEY", about: "list: only connections of this source" },
    name: { type: "string", value: "NAME", about: "create: the name of the connection" },
    yes: { type: "boolean", short: "y", about: "do not ask for confirmation" },
  },
  async run(context) {
    const [action = "list", first, second, ...rest] = context.positionals;
    if (rest.length > 0) throw new UsageError(`unexpected argument ${JSON.stringify(rest[0])}`);
    if (action === "list" && first === undefined) return list(context);
    if (action === "create" && first !== undefined && second === undefined) return create(context, first);
    if (action === "rename" && second !== undefined) return rename(context, first!, second);
    if (action === "delete" && first !== undefined && second === undefined) return remove(context, first);
    throw new UsageError("choose a subcommand: list, create CONNECTOR, rename ID NAME or delete ID");
  },
};

async function list(context: CommandContext): Promise<number> {
  const connector_key = text(context.values, "connector");
  const body = await context.call("connections", connector_key === undefined ? {} : { connector_key });
  const held = context.json ? [] : (await context.call("streams", {})).data;
  answer(context, body, ({ data }) => {
    if (data.length === 0 && connector_key !== undefined)
      return `The source ${printable(connector_key)} has no connections. \`pdpp connectors\` lists the sources by their keys.`;
    if (data.length === 0)
      return "No connections yet. `pdpp connectors` lists the sources, `pdpp connections create CONNECTOR` creates a connection.";
    const rows = data.map((row) => {
      const own = held.filter(({ connection_id }) => connection_id === row.connection_id);
      return [
        row.connection_id,
        row.display_name,
        row.connector_key,
        own.reduce((sum, stream) => sum + stream.record_count, 0).toLocaleString("en-US"),
        lastUpdate(own),
        row.streams.join(", "),
        row.health === undefined ? "" : plainLine(row.health.words, 100),
      ];
    });
    const todo = data.flatMap(({ connection_id, health }) =>
      health?.next_step === undefined || QUIET.includes(health.verdict)
        ? []
        : [`${connection_id}: ${health.next_step}`],
    );
    return [table(["connection", "name", "source", "records", "updated", "streams", "status"], rows), ...todo].join(
      "\n",
    );
  });
  return 0;
}

/** Returns the day, in the local time zone, on which a record was last added or changed. */
function lastUpdate(streams: readonly StreamSummary[]): string {
  const last = streams
    .flatMap(({ last_updated }) => last_updated ?? [])
    .sort()
    .at(-1);
  return last === undefined ? "" : new Date(last).toLocaleDateString("sv");
}

async function create(context: CommandContext, connector: string): Promise<number> {
  const body = await context.call("createConnection", {
    connector_id: connector,
    display_name: text(context.values, "name"),
  });
  answer(
    context,
    body,
    (made) => `${made.connection_id}  ${printable(made.display_name)}`,
    ({ streams, connection_id }) =>
      `Add records: ${nextCommand(context, ["ingest", streams[0]!, "FILE"], { connection: connection_id })}`,
  );
  return 0;
}

async function rename(context: CommandContext, connection_id: string, display_name: string): Promise<number> {
  const body = await context.call("renameConnection", { connection_id, display_name });
  answer(context, body, (renamed) => `${renamed.connection_id} is now called ${printable(renamed.display_name)}.`);
  return 0;
}

async function remove(context: CommandContext, connection_id: string): Promise<number> {
  if (!(await agreed(context, ["connections", "delete", connection_id], whatGoes, "Nothing was deleted."))) return 4;
  const body = await context.call("deleteConnection", { connection_id });
  answer(context, body, (gone) => `Deleted ${connection_id} and ${count(gone.records_deleted, "record")}.`);
  return 0;

  async function whatGoes(): Promise<string> {
    const connection = (await allConnections(context)).find((row) => row.connection_id === connection_id);
    if (connection === undefined) throw connectionNotFound(connection_id);
    const streams = (await context.call("streams", { connection_id })).data;
    const grants = (await context.call("grants", {})).data;
    const readers = grants.filter(
      ({ status, grant }) =>
        status === "active" && grant.streams.some((stream) => stream.instance_ids.includes(connection_id)),
    );
    const records = streams.reduce((sum, stream) => sum + stream.record_count, 0);
    const still =
      readers.length === 0
        ? "no grant reads it"
        : `${count(readers.length, "active grant")} read${readers.length === 1 ? "s" : ""} it`;
    return `Delete ${printable(connection.display_name)} (${connection.connector_key}) with ${count(records, "record")} in ${count(streams.length, "stream")} permanently? ${still}.`;
  }
}
