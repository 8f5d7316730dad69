// --connection for reading commands: an id, "all", or the name of exactly one connection.
import { ID_PREFIX } from "../../contract/ids.ts";
import { ALL_CONNECTIONS } from "../../core/scope.ts";
import { type CommandContext, type ConnectOptions, text } from "./command.ts";
import { allConnections, severalConnections } from "./sources.ts";

/** People know names and programs use ids, so both are accepted. An unknown name is passed on unchanged. */
export async function namedConnection(
  { values, call, connect }: CommandContext,
  options?: ConnectOptions,
): Promise<string | undefined> {
  const given = text(values, "connection");
  if (given === undefined || given === ALL_CONNECTIONS || given.startsWith(ID_PREFIX.connection)) return given;
  await connect(options);
  const connections = await allConnections({ call });
  if (connections.some(({ connection_id }) => connection_id === given)) return given;
  const found = connections.filter(({ display_name }) => folded(display_name) === folded(given));
  if (found.length > 1)
    throw severalConnections(`${found.length} connections are called ${JSON.stringify(given)}`, found);
  return found[0]?.connection_id ?? given;
}

const folded = (name: string): string => name.normalize("NFC").toLowerCase();
