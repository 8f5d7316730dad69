// pdpp connectors list, show, logs, set, cancel and remove.
import { leaveNote } from "../../../collect/connectors/run-folder.ts";
import { answer, type CommandContext, UsageError } from "../command.ts";
import { nextCommand } from "../next-command.ts";
import { plainJson, printable } from "../printable.ts";
import { agreed } from "../prompt.ts";
import { table } from "../table.ts";
import { allSetups, runNamed, setupNamed } from "./setups.ts";
import { runText, setupTable, setupText } from "./show.ts";
import { givenSecrets, givenSettings } from "./values.ts";

export async function list(context: CommandContext, rest: string[]): Promise<number> {
  if (rest.length > 0) throw new UsageError(`unexpected argument ${JSON.stringify(rest[0])}`);
  const sources = await context.call("connectors", {});
  // An app that lists the sources it may read has no access to the owner's connectors, and does not need them.
  const setups = await allSetups(context).catch(() => []);
  answer(context, { ...sources, setups }, ({ data }) => {
    if (data.length === 0)
      return "No sources yet. `pdpp connectors add PATH` adds a connector, or a source from its declaration.";
    const rows = data.map((row) => [
      row.connector_key,
      row.display_name,
      row.declaration_version,
      row.created_at?.slice(0, 10) ?? "",
      row.source.id,
      row.streams.join(", "),
    ]);
    const known = table(["key", "name", "version", "added", "id", "streams"], rows);
    return setups.length === 0 ? known : `${known}\nCollected by connectors:\n${setupTable(setups)}`;
  });
  return 0;
}

const one = (rest: string[], what: string): string => {
  const [named, ...more] = rest;
  if (named === undefined || more.length > 0) throw new UsageError(what);
  return named;
};

/** Shows a connector, given its connection or key, or one run. */
export async function show(context: CommandContext, rest: string[]): Promise<number> {
  const named = one(rest, "show takes one ID: a connection, a key or a run");
  if (named.startsWith("job_")) answer(context, await runNamed(context, named), runText);
  else answer(context, await setupNamed(context, named), setupText);
  return 0;
}

export async function logs(context: CommandContext, rest: string[]): Promise<number> {
  const { run_id: id } = await runNamed(context, one(rest, "logs takes one ID: a run or a connection"));
  const body = await context.call("collectLog", { id });
  const { text, truncated } = body;
  if (context.json) context.out(plainJson(JSON.stringify(body)));
  else {
    if (truncated) context.note("Only the end of the log was kept.");
    if (text === "") context.out(`${id} wrote nothing to its log.`);
    else
      context.out(
        text
          .split("\n")
          .map((line) => printable(line, 2000))
          .join("\n"),
      );
  }
  return 0;
}

export async function set(context: CommandContext, rest: string[]): Promise<number> {
  const named = one(rest, "set ID --set NAME=VALUE …");
  const setup = await setupNamed(context, named);
  const settings = givenSettings(setup.settings, context.values);
  const secrets = await givenSecrets(context.values);
  if (Object.keys({ ...settings, ...secrets }).length === 0)
    throw new UsageError("nothing to set: specify --set NAME=VALUE or --secret-file NAME=FILE");
  const { connection_id } = setup;
  answer(context, await context.call("putSettings", { connection_id, settings, secrets }), setupText);
  return 0;
}

export async function cancel(context: CommandContext, rest: string[]): Promise<number> {
  const { run_id: id } = await runNamed(context, one(rest, "cancel takes one ID: a run or a connection"));
  const body = await context.call("cancelCollect", { id });
  if (context.values.server === undefined) leaveNote(context.home);
  answer(context, body, () => `Cancelled ${id}. The records that it imported are kept.`);
  return 0;
}

export async function remove(context: CommandContext, rest: string[]): Promise<number> {
  const named = one(rest, "remove takes one ID: a connection or a key");
  const { connection_id, display_name } = await setupNamed(context, named);
  const question = `Remove the connector of ${printable(display_name)}, its settings and its secrets? The connection's records are kept.`;
  const command = ["connectors", "remove", connection_id];
  if (!(await agreed(context, command, () => question, "Nothing was removed."))) return 4;
  answer(
    context,
    await context.call("removeSetup", { connection_id }),
    () => `Removed the connector of ${printable(display_name)}. The connection's records are kept.`,
    () => `To delete them too: ${nextCommand(context, ["connections", "delete", connection_id])}`,
  );
  return 0;
}
