// pdpp setup: connects AI apps on this machine. It lists them, shows what it will write, writes it, checks it, and can
// undo it.
import { homedir } from "node:os";
import {
  CLIENTS,
  type ClientSetup,
  type Gate,
  gateOf,
  type Machine,
  type Program,
} from "../../../contract/client-setups.ts";
import type { JsonObject } from "../../../contract/json.ts";
import { nearest } from "../../../core/nearest.ts";
import { servingAddress } from "../../../engine/home-address.ts";
import { type Command, type CommandContext, text, UsageError } from "../command.ts";
import { DEFAULT_ORIGIN } from "../default-address.ts";
import { sameCommand } from "../next-command.ts";
import { originOf } from "../oauth/discover.ts";
import { plainJson, printableText } from "../printable.ts";
import { confirm } from "../prompt.ts";
import { checkSignIn, listTools } from "../setup/check-gate.ts";
import {
  isInstalled,
  presentEntry,
  readSettings,
  textWith,
  textWithout,
  undoSettings,
  writeSettings,
} from "../setup/client-settings.ts";
import { lineDiff } from "../setup/line-diff.ts";
import { listClients } from "../setup/list-clients.ts";

export const setup: Command = {
  summary: "connect an AI app on this machine, in one step",
  usage:
    "pdpp setup                    which apps are installed, and which are set up\n" +
    "       pdpp setup CLIENT [--files] [--url URL] [--dry-run | --yes]\n" +
    "       pdpp setup CLIENT --undo [--files] [--dry-run | --yes]",
  details: `CLIENT  ${CLIENTS.map(({ id }) => id).join(", ")}
A copy of the settings file is kept next to it until --undo. Exit code 7: the entry was written, but the tools could not be listed.`,
  examples: [
    "pdpp setup",
    "pdpp setup claude-code",
    "pdpp setup codex --files --yes",
    "pdpp setup cursor --url https://data.example.org --dry-run",
    "pdpp setup claude-code --undo",
  ],
  options: {
    files: { type: "boolean", about: "the disks (/files/mcp) instead of the records (/mcp); an app can have both" },
    url: {
      type: "string",
      value: "URL",
      about: "the server's address; default: the server of the home, or else http://127.0.0.1:7887",
    },
    "dry-run": { type: "boolean", about: "show the change and write nothing" },
    yes: { type: "boolean", short: "y", about: "do not ask for confirmation" },
    undo: { type: "boolean", about: "remove the entry; if nothing else changed, the file is restored byte for byte" },
    "insecure-http": { type: "boolean", about: "allow a server without https on a network that you trust" },
  },
  local: true,
  async run(context) {
    const { positionals, values, home } = context;
    const [typed, ...rest] = positionals;
    if (rest.length > 0) throw new UsageError(`one client at a time: unexpected argument ${JSON.stringify(rest[0])}`);
    const machine: Machine = { platform: process.platform, home: homedir(), env: process.env };
    if (typed === undefined) return listClients(context, machine);
    const url = text(values, "url");
    const origin = url === undefined ? (servingAddress(home) ?? DEFAULT_ORIGIN) : originOf(url);
    const gate = gateOf(origin, values.files === true ? "files" : "records");
    const client = clientNamed(typed);
    return values.undo === true ? undo(context, client, gate, machine) : put(context, client, gate, machine);
  },
};

function clientNamed(typed: string): ClientSetup {
  const client = CLIENTS.find(({ id }) => id === typed);
  if (client !== undefined) return client;
  const ids = CLIENTS.map(({ id }) => id);
  const meant = nearest(typed, ids);
  throw new UsageError(
    `there is no client ${JSON.stringify(typed)}${meant === undefined ? "" : `; did you mean ${meant}?`} Known: ${ids.join(", ")}`,
  );
}

async function put(context: CommandContext, client: ClientSetup, gate: Gate, machine: Machine): Promise<number> {
  const { values, json, out, note } = context;
  const installed = isInstalled(client, machine);
  const at = await readSettings(client, machine);
  const entry = client.entry(gate, thisProgram());
  const edited = textWith(at, client, gate, entry);
  const changed = edited !== at.text;
  const diff = lineDiff(at.text ?? "", edited);
  const facts = { client: client.id, name: gate.name, url: gate.url, installed, file: at.path, entry, changed };
  if (values["dry-run"] === true) {
    if (json) out(plainJson(JSON.stringify({ ...facts, written: false, diff: changed ? diff : "" })));
    else out(changed ? shown(at.path, diff, at.text === undefined) : already(client, gate, at.path));
    return 0;
  }
  // Check before anything is written, because an entry that does not work is useless.
  await checkSignIn(gate, values["insecure-http"] === true);
  if (!installed)
    note(`${client.name} was not found on this machine. If you install it later, it will use this entry.`);
  if (changed && !json) out(shown(at.path, diff, at.text === undefined));
  if (changed && !(await agreed(context, `Write this to ${client.name}'s settings?`))) return declined(context);
  const replaces = presentEntry(at, client, gate) !== undefined;
  const backup = changed ? writeSettings(at, edited, { name: gate.name, replaces }) : undefined;
  if (!json)
    out(
      changed
        ? `Written.${backup === undefined ? "" : ` The previous file was saved as ${backup}`}`
        : already(client, gate, at.path),
    );
  const { tools, failure } = await checked(context, client, gate, entry);
  const signIn = client.signIn?.(gate);
  if (json) {
    const next = { sign_in: signIn ?? client.signInWords?.(gate), undo: undoCommand(context, client) };
    out(
      plainJson(
        JSON.stringify({ ...facts, written: changed, backup, checked: { sign_in: true, tools, failure }, next }),
      ),
    );
    return failure === undefined ? 0 : 7;
  }
  if (failure !== undefined) note(`The check failed: ${failure}`);
  else if (tools === undefined) out(`Checked: ${gate.url} responds, and ${client.name} can sign in to it.`);
  else
    out(
      `Checked: ${gate.url} responds${client.transport === "stdio" ? ` through ${client.name}'s command` : ""} and lists ${tools.length} tools: ${tools.join(", ")}.`,
    );
  if (signIn !== undefined) note(`Next: ${signIn}        (you choose in the browser what it may read)`);
  if (client.signInWords !== undefined)
    note(`${signIn === undefined ? "Next: " : "      "}${client.signInWords(gate)}`);
  note(`Undo: ${undoCommand(context, client)}`);
  return failure === undefined ? 0 : 7;
}

async function undo(context: CommandContext, client: ClientSetup, gate: Gate, machine: Machine): Promise<number> {
  const { values, json, out } = context;
  const at = await readSettings(client, machine);
  const present = presentEntry(at, client, gate) !== undefined;
  const facts = { client: client.id, name: gate.name, file: at.path, changed: present };
  if (!present) {
    if (json) out(plainJson(JSON.stringify({ ...facts, written: false })));
    else out(`${client.name} has no entry ${gate.name} in ${at.path}. Nothing to undo.`);
    return 0;
  }
  const edited = textWithout(at, client, gate);
  const diff = lineDiff(at.text ?? "", edited ?? "");
  if (!json)
    out(edited === undefined ? `Removes ${at.path}, which contains nothing else.` : shown(at.path, diff, false));
  if (values["dry-run"] === true) {
    if (json) out(plainJson(JSON.stringify({ ...facts, written: false, diff })));
    return 0;
  }
  if (!(await agreed(context, `Remove it from ${client.name}'s settings?`))) return declined(context);
  undoSettings(at, edited, gate.name);
  if (json) out(plainJson(JSON.stringify({ ...facts, written: true, diff })));
  else
    out(
      `Removed. ${client.name} no longer uses ${gate.name}. Its grants stay valid until you revoke them: pdpp grants list`,
    );
  return 0;
}

/** Lists the tools that the app will see. The settings are already written, so a failure here is only reported. */
async function checked(
  context: CommandContext,
  client: ClientSetup,
  gate: Gate,
  entry: JsonObject,
): Promise<{ tools?: string[]; failure?: string }> {
  try {
    return { tools: (await listTools(context, client, gate, entry as unknown as Program))?.tools };
  } catch (error) {
    return { failure: (error as Error).message };
  }
}

const shown = (path: string, diff: string, isNew: boolean): string =>
  `${path}${isNew ? " (new)" : ""}\n${printableText(diff)}`;

const already = (client: ClientSetup, { name }: Gate, path: string): string =>
  `${client.name} already has ${name} in ${path}.`;

async function agreed(context: CommandContext, question: string): Promise<boolean> {
  if (context.values.yes === true) return true;
  return confirm(question, `Nothing was written. To confirm: ${sameCommand(context, "setup", { yes: true })}`);
}

function declined({ note }: CommandContext): number {
  note("Nothing was written.");
  return 0;
}

/** Apps start programs with their own PATH, so absolute paths are used. */
const thisProgram = (): Program => ({ command: process.execPath, args: [process.argv[1]!] });

function undoCommand({ values }: CommandContext, { id }: ClientSetup): string {
  return `pdpp setup ${id} --undo${values.files === true ? " --files" : ""}`;
}
