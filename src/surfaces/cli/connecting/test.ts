// pdpp connectors test: runs a connector through the conformance kit, check by check.
import { locateConnector } from "../../../collect/connectors/manifest-file.ts";
import { missingSettings } from "../../../core/connector-check.ts";
import { type CommandContext, UsageError } from "../command.ts";
import { printable } from "../printable.ts";
import { table } from "../table.ts";
import { askForMissing, givenSecrets, givenSettings } from "./values.ts";

export async function test(context: CommandContext, [named, ...rest]: string[]): Promise<number> {
  if (named === undefined || rest.length > 0)
    throw new UsageError("test takes one PATH: a folder with a connector.json");
  const { values, json, out, note } = context;
  const connector = await locateConnector(named);
  const defined = connector.manifest.settings ?? [];
  const given = { settings: givenSettings(defined, values), secrets: await givenSecrets(values) };
  await askForMissing(missingSettings(defined, given.settings, Object.keys(given.secrets)), given);
  const { testConnector } = await import("../../../collect/connectors/conformance.ts");
  const checks = await testConnector({
    connector,
    ...given,
    onCheck: ({ name, status }) => json || note(`${status}  ${name}`),
  });
  const failed = checks.filter(({ status }) => status === "fail").length;
  if (json) out(JSON.stringify({ object: "connector_test", connector: connector.place, passed: failed === 0, checks }));
  else {
    const rows = checks.map(({ name, status, reason }) => [status, name, printable(reason, 300)]);
    out(table(["", "check", "seen"], rows, { whole: [0, 1, 2] }));
  }
  return failed === 0 ? 0 : 1;
}
