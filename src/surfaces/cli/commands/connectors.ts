// pdpp connectors: the sources this home knows, each by its declaration.
import type { List } from "../../../contract/answers.ts";
import type { ConnectorRead } from "../../../contract/connection.ts";
import { answer, type Command, type CommandContext, text, UsageError } from "../command.ts";
import { jsonFile } from "../input.ts";
import { nextCommand } from "../next-command.ts";
import { register } from "../sources.ts";
import { table } from "../table.ts";

export const connectors: Command = {
  summary: "the sources this home knows: list, add by declaration",
  usage: "pdpp connectors [list] | add FILE [--key K]",
  examples: ["pdpp connectors", "pdpp connectors add mail.json --key mail", "pdpp connectors --json"],
  options: { key: { type: "string" } },
  async run(context) {
    const [action = "list", file, ...rest] = context.positionals;
    if (rest.length > 0) throw new UsageError(`what is ${JSON.stringify(rest[0])}?`);
    if (action === "list" && file === undefined) return list(context);
    if (action === "add" && file !== undefined) return add(context, file);
    throw new UsageError("say list or add FILE");
  },
};

async function list(context: CommandContext): Promise<number> {
  const { host, credential } = await context.connect();
  const body = await host.call("connectors", {}, credential);
  answer<List<ConnectorRead>>(context, body, ({ data }) => {
    if (data.length === 0) return "No sources yet. `pdpp connectors add FILE` registers one by its declaration.";
    const rows = data.map((row) => [
      row.connector_key,
      row.display_name,
      row.declaration_version,
      row.source.id,
      row.streams.join(", "),
    ]);
    return table(["key", "name", "version", "id", "streams"], rows);
  });
  return 0;
}

async function add(context: CommandContext, file: string): Promise<number> {
  const declaration = await jsonFile(file);
  const connected = await context.connect({ create: true });
  const body = await register(connected, declaration, text(context.values, "key"));
  answer<ConnectorRead>(
    context,
    body,
    (added) => `${added.connector_key}: ${added.streams.join(", ")}`,
    ({ connector_key }) => `Next: ${nextCommand(context, ["connections", "create", connector_key])}`,
  );
  return 0;
}
