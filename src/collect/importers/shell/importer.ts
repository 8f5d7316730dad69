// Shell history: every command once, without its secrets.
import type { JsonObject } from "../../../contract/json.ts";
import type { Entry } from "../../entry.ts";
import { headOf } from "../../entry.ts";
import { HEAD_BYTES, type ImportEvent, type Importer } from "../../importer.ts";
import type { MakeId } from "../../record-ids.ts";
import { estimate, matchesIn } from "../estimates.ts";
import { ordinals } from "../ordinals.ts";
import { digestOf, replayedRun } from "../replay.ts";
import { shellDeclaration } from "./declaration.ts";
import { commandsOf, type Shell, type ShellCommand, shellOf } from "./history.ts";
import { redact } from "./redact.ts";

/** File names that shells use for their histories. */
const NAMES: readonly [RegExp, Shell][] = [
  [/(?:^|\/)\.?bash_history(?:[.-][^/]*)?$/i, "bash"],
  [/(?:^|\/)\.?(?:zsh_history|zhistory|histfile)(?:[.-][^/]*)?$/i, "zsh"],
  [/(?:^|\/)[^/]*fish_history(?:[.-][^/]*)?$/i, "fish"],
  [/(?:^|\/)\.(?:sh_history|ash_history|history)$/i, "sh"],
];

const nameSays = (path: string): Shell | undefined => NAMES.find(([pattern]) => pattern.test(path))?.[1];

function shellOfEntry(path: string, head: Uint8Array): { shell: Shell; sure: boolean } | undefined {
  if (head.includes(0)) return undefined;
  const named = nameSays(path);
  const shown = shellOf(Buffer.from(head).toString("latin1"));
  if (shown === undefined) return named && { shell: named, sure: false };
  // A line such as `#1690000000` could be a comment in any file. The marks of the other two shells are unique.
  if (shown === "bash" && named === undefined && !/hist/i.test(path)) return undefined;
  return { shell: shown, sure: true };
}

async function* eventsOf(entry: Entry, makeId: MakeId): AsyncGenerator<ImportEvent> {
  const shell = shellOfEntry(entry.path, await headOf(entry, HEAD_BYTES))?.shell ?? "sh";
  const ordinal = ordinals();
  for await (const found of commandsOf(entry, shell)) {
    if (found.cut) yield { kind: "skip", entry, offset: found.offset, reason: "longer than 64 KB: pasted, not typed" };
    else yield recordOf(entry, shell, found, (digest) => makeId(`${digest}.${ordinal(digest)}`));
  }
}

function recordOf(entry: Entry, shell: Shell, found: ShellCommand, idOf: (digest: string) => string): ImportEvent {
  const { command, redacted } = redact(found.command.toWellFormed());
  const at = found.at === undefined ? undefined : new Date(found.at * 1000).toISOString();
  // The digest is of the redacted command, because a secret could be guessed from a digest that includes it.
  const id = idOf(digestOf(at ?? "", command));
  const data: JsonObject = {
    id,
    ...(at === undefined ? {} : { at }),
    command,
    program: programOf(command),
    shell,
    ...(found.seconds === undefined ? {} : { seconds: found.seconds }),
    ...(found.paths === undefined ? {} : { paths: found.paths.map((path) => redact(path.toWellFormed()).command) }),
    redacted,
  };
  return { kind: "record", stream: "commands", key: id, data, entry, offset: found.offset };
}

/** Returns the first word that is neither an assignment nor a wrapper such as sudo. */
function programOf(command: string): string {
  const words = command.slice(0, 500).split(/\s+/);
  const word = words.find((one) => !/^\w+=/.test(one) && !/^(?:sudo|time|nohup|env|exec|command|builtin)$/.test(one));
  return (word ?? words[0] ?? "").slice(0, 200);
}

export const shellImporter: Importer = {
  name: "shell",
  title: "Shell history (bash, zsh, fish)",
  from: ["bash: ~/.bash_history", "zsh: ~/.zsh_history", "fish: ~/.local/share/fish/fish_history"],
  recognise({ path, head }) {
    const found = shellOfEntry(path, head);
    if (found === undefined || head.length === 0) return undefined;
    const score = found.sure ? (nameSays(path) === undefined ? 80 : 95) : 70;
    return { score, reason: `${found.shell} history`, group: "Shell history" };
  },
  async plan({ entries }, answers) {
    const machine = answers.machine?.trim() ?? "";
    return {
      account: {
        key: machine === "" ? "shell" : `shell:${machine}`,
        name: machine === "" ? "Shell history" : `Shell history of ${machine}`,
      },
      declaration: shellDeclaration,
      streams: [{ stream: "commands", ...(await estimate(entries, commandsAbout)) }],
      questions: [
        { id: "machine", text: "Which computer is it from? Leave this empty if there is only one", default: "" },
      ],
      warnings: ["Secrets are recognised by their form and position; a password typed as a command is not."],
    };
  },
  run: (input, context) => replayedRun(input, context, (entry) => eventsOf(entry, context.makeId)),
};

/** If there are times, each command has one. Otherwise each line is a command. */
const commandsAbout = (text: string): number =>
  matchesIn(text, /^(?:#\d{9,11}\r?$|: \d{9,11}:\d+;|- cmd: )/gm) || matchesIn(text, /^.*\S/gm);
