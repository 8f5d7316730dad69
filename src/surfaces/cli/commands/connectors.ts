// pdpp connectors: the sources of this home, and the connectors that fetch from them.

import { nearest } from "../../../core/nearest.ts";
import type { Command, CommandContext } from "../command.ts";
import { UsageError } from "../command.ts";

type Act = (context: CommandContext, rest: string[]) => Promise<number>;

/** Each subcommand loads its own module. */
const ACTS: Record<string, () => Promise<Act>> = {
  list: () => import("../connecting/other.ts").then((module) => module.list),
  add: () => import("../connecting/add.ts").then((module) => module.add),
  show: () => import("../connecting/other.ts").then((module) => module.show),
  set: () => import("../connecting/other.ts").then((module) => module.set),
  run: () => import("../connecting/run.ts").then((module) => module.run),
  logs: () => import("../connecting/other.ts").then((module) => module.logs),
  answer: () => import("../connecting/questions.ts").then((module) => module.answerQuestion),
  cancel: () => import("../connecting/other.ts").then((module) => module.cancel),
  remove: () => import("../connecting/other.ts").then((module) => module.remove),
  test: () => import("../connecting/test.ts").then((module) => module.test),
};

export const connectors: Command = {
  summary: "sources, and the connectors that fetch from them: add, run, answer, logs",
  usage:
    "pdpp connectors [list] | show ID | logs ID | remove ID [--yes]\n" +
    "       pdpp connectors add KEY|PATH [--name N] [--set NAME=VALUE …] [--secret-file NAME=FILE …] [--connection ID] [--yes]\n" +
    "       pdpp connectors add FILE [--key K]     registers a source without a connector\n" +
    "       pdpp connectors set ID [--set NAME=VALUE …] [--secret-file NAME=FILE …]\n" +
    "       pdpp connectors run ID [--full] | cancel ID\n" +
    "       pdpp connectors answer ID [--set NAME=VALUE …] [--secret-file NAME=FILE …] [--remember] [--refuse]\n" +
    "       pdpp connectors test PATH [--set NAME=VALUE …] [--secret-file NAME=FILE …]",
  details:
    "KEY is a connector that comes with pdpp: imap (mail), caldav (calendars and tasks), carddav (contacts). PATH is a folder with\n" +
    "a connector.json. ID is a connection, a run, or the key of a connector with one connection. Secrets are typed at a\n" +
    "prompt, or read from a file (- is standard input); they are stored encrypted and never shown again. A connector runs on the\n" +
    "machine that has its home.",
  examples: [
    "pdpp connectors add imap --set host=imap.example.org --set user=me@example.org",
    "pdpp connectors add caldav --set url=https://cloud.example.org --set user=me",
    "pdpp connectors add carddav --set url=https://cloud.example.org --set user=me",
    "pdpp connectors add ./my-connector --secret-file token=token.txt --yes",
    "pdpp connectors run imap",
    "pdpp connectors run cin_… --full --json",
    "pdpp connectors logs imap",
    "pdpp connectors answer imap --set code=123456",
    "pdpp connectors test ./my-connector",
  ],
  actions: ["list", "show", "logs", "add", "set", "run", "cancel", "answer", "test", "remove"],
  options: {
    key: { type: "string", value: "KEY", about: "add FILE: the short name of the source" },
    name: { type: "string", value: "NAME", about: "add: the name of the connection" },
    set: {
      type: "string",
      multiple: true,
      value: "NAME=VALUE",
      about: "a connector setting, or an answer to its question; can be repeated",
    },
    "secret-file": {
      type: "string",
      multiple: true,
      value: "NAME=FILE",
      about: "a secret, read from a file (- is standard input)",
    },
    connection: { type: "string", value: "ID", about: "add: use this connection instead of creating one" },
    full: { type: "boolean", about: "run: fetch everything again, not only what is new" },
    remember: { type: "boolean", about: "answer: use the same answer next time" },
    refuse: { type: "boolean", about: "answer: decline the question and end the run" },
    yes: { type: "boolean", short: "y", about: "do not ask for confirmation" },
  },
  async run(context) {
    const [action = "list", ...rest] = context.positionals;
    const act = Object.hasOwn(ACTS, action) ? ACTS[action] : undefined;
    if (act !== undefined) return (await act())(context, rest);
    const meant = nearest(action, Object.keys(ACTS));
    throw new UsageError(
      `there is no \`pdpp connectors ${action}\`${meant === undefined ? `; choose one of ${Object.keys(ACTS).join(", ")}` : `; did you mean \`pdpp connectors ${meant}\`?`}`,
    );
  },
};
