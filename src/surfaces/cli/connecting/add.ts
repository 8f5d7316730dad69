// pdpp connectors add: shows what a connector may do, asks for missing settings, and sets it up. A plain declaration is
// only registered.
import { stat } from "node:fs/promises";
import { locateConnector } from "../../../collect/connectors/manifest-file.ts";
import { leaveNote } from "../../../collect/connectors/run-folder.ts";
import type { ConnectorSetup } from "../../../contract/collect.ts";
import type { SettingValue } from "../../../contract/connector.ts";
import type { JsonValue } from "../../../contract/record.ts";
import { missingSettings } from "../../../core/connector-check.ts";
import { answer, type CommandContext, text, UsageError } from "../command.ts";
import { jsonFile } from "../input.ts";
import { nextCommand } from "../next-command.ts";
import { printable } from "../printable.ts";
import { confirm } from "../prompt.ts";
import { register } from "../sources.ts";
import { setupNamed } from "./setups.ts";
import { manifestText } from "./show.ts";
import { askForMissing, givenSecrets, givenSettings, offerSecrets } from "./values.ts";

export async function add(context: CommandContext, [named, ...rest]: string[]): Promise<number> {
  if (named === undefined || rest.length > 0) throw new UsageError("add takes one PATH: a connector or a declaration");
  const declaration = await plainDeclaration(named);
  return declaration === undefined ? addConnector(context, named) : addDeclaration(context, declaration);
}

/** Reads a file that declares a source without a program. `pdpp ingest` fills such a source. */
async function plainDeclaration(named: string): Promise<JsonValue | undefined> {
  if (!(await stat(named).catch(() => undefined))?.isFile()) return undefined;
  const content = await jsonFile(named);
  return content !== null && typeof content === "object" && "manifest_version" in content ? undefined : content;
}

async function addDeclaration(context: CommandContext, declaration: JsonValue): Promise<number> {
  await context.connect({ create: true });
  answer(
    context,
    await register(context, declaration, text(context.values, "key")),
    (added) => `${added.connector_key}: ${added.streams.join(", ")}`,
    ({ connector_key }) => `Next: ${nextCommand(context, ["connections", "create", connector_key])}`,
  );
  return 0;
}

async function addConnector(context: CommandContext, named: string): Promise<number> {
  const { values, home, note } = context;
  if (values.server !== undefined)
    throw new UsageError("a connector runs on the home's machine: add it there, without --server");
  const { manifest, place } = await locateConnector(named);
  const defined = manifest.settings ?? [];
  const settings = givenSettings(defined, values);
  const secrets = await givenSecrets(values);
  note(manifestText(manifest, place));
  await context.connect({ create: true });
  const connection = text(values, "connection");
  const before = connection === undefined ? undefined : await setupNamed(context, connection);
  const complete = { settings: { ...settingsOf(before, defined), ...settings }, secrets };
  const held = (before?.settings ?? []).filter(({ secret, set }) => secret && set).map(({ name }) => name);
  await askForMissing(missingSettings(defined, complete.settings, [...held, ...Object.keys(secrets)]), complete);
  if (before === undefined) await offerSecrets(defined, secrets);
  if (values.yes !== true && !(await confirm("Add it?", "Add --yes to confirm."))) {
    note("Nothing was added.");
    return 4;
  }
  const query = {
    place,
    manifest,
    ...complete,
    display_name: text(values, "name"),
    ...(before === undefined ? {} : { connection_id: before.connection_id }),
  };
  const body = await context.call("putSetup", query);
  leaveNote(home);
  answer(
    context,
    body,
    (added) => `${added.connection_id}  ${printable(added.display_name)}`,
    ({ connection_id }) => `Next: ${nextCommand(context, ["connectors", "run", connection_id])}`,
  );
  return 0;
}

/** Returns the previous settings that the connector still defines. */
function settingsOf(
  before: ConnectorSetup | undefined,
  defined: readonly { name: string }[],
): Record<string, SettingValue> {
  const kept = (before?.settings ?? []).filter(({ name }) => defined.some((one) => one.name === name));
  return Object.fromEntries(kept.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])));
}
