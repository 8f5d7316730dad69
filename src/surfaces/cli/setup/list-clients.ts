// pdpp setup without CLIENT: lists the AI apps on this machine, and the address that each is set up with for each lens.
import type { Audience } from "../../../contract/auth.ts";
import { CLIENTS, type ClientSetup, gateOf, type Machine } from "../../../contract/client-setups.ts";
import { PdppError } from "../../../contract/errors.ts";
import type { JsonObject } from "../../../contract/json.ts";
import { answer, type CommandContext } from "../command.ts";
import { table } from "../table.ts";
import { type ClientSettings, fileOf, isInstalled, presentEntry, readSettings } from "./client-settings.ts";

interface ListedClient {
  client: string;
  name: string;
  installed: boolean;
  file: string;
  /** The address set up for each lens. */
  records: string | null;
  files: string | null;
  /** Says why the settings cannot be read. */
  failure?: string;
}

export async function listClients(context: CommandContext, machine: Machine): Promise<number> {
  const data = await Promise.all(CLIENTS.map((client) => listed(client, machine)));
  answer(context, { object: "list", data }, shown, () => next(data));
  return 0;
}

async function listed(client: ClientSetup, machine: Machine): Promise<ListedClient> {
  const facts = {
    client: client.id,
    name: client.name,
    installed: isInstalled(client, machine),
    file: fileOf(client, machine),
  };
  try {
    const at = await readSettings(client, machine);
    return { ...facts, records: address(at, client, "records"), files: address(at, client, "files") };
  } catch (error) {
    if (!(error instanceof PdppError)) throw error;
    return { ...facts, records: null, files: null, failure: error.message };
  }
}

/** Only the entry's name matters here, and it does not depend on the origin. */
function address(at: ClientSettings, client: ClientSetup, lens: Audience): string | null {
  const entry = presentEntry(at, client, gateOf("", lens)) as JsonObject | undefined;
  if (entry === undefined) return null;
  const words = Array.isArray(entry.args) ? entry.args : [];
  // If the entry starts a program, the last argument is the server.
  return String(entry.url ?? entry.uri ?? words.at(-1) ?? entry.command);
}

function shown({ data }: { data: ListedClient[] }): string {
  const rows = data.map(({ client, name, installed, records, files, failure }) => [
    client,
    name,
    installed ? "yes" : "no",
    failure === undefined ? (records ?? "–") : "cannot be read",
    files ?? "–",
  ]);
  return table(["client", "name", "installed", "records", "files"], rows, { cellMax: 60 });
}

function next(data: readonly ListedClient[]): string {
  const broken = data.flatMap(({ failure }) => (failure === undefined ? [] : [failure]));
  const first = data.find(({ installed, records }) => installed && records === null) ?? data[0]!;
  return [...broken, `Set one up: pdpp setup ${first.client}`].join("\n");
}
