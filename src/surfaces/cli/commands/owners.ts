// pdpp owners: lets the operator manage the owners in a database that hosts many.

import { databaseUrl } from "../../../engine/database.ts";
import { createOwner, deleteOwner, type ListedOwner, listOwners, renameOwner } from "../../../engine/owners.ts";
import { type Command, type CommandContext, UsageError } from "../command.ts";
import { whileInterruptible } from "../interruption.ts";
import { count } from "../table.ts";

type Verb = (context: CommandContext, url: string, words: string[]) => Promise<void>;

/** Subcommands with their arguments. */
const VERBS: Record<string, [run: Verb, ...words: string[]]> = {
  list: [list],
  add: [add, "NAME"],
  name: [name, "OWNER", "NAME"],
  remove: [remove, "OWNER"],
};

export const owners: Command = {
  summary: "owners in the database at DATABASE_URL: add, list, name, remove",
  usage:
    "pdpp owners list\n       pdpp owners add NAME\n       pdpp owners name OWNER NAME\n       pdpp owners remove OWNER --yes",
  details: `NAME becomes a part of the owner's address: pdpp serve --public-url 'https://*.data.example' serves NAME at
https://NAME.data.example. OWNER is a name or an id. Set PDPP_OWNER=OWNER to run any other command for that owner. Start with
\`pdpp owner reset\`, which prints the link to set a password.

An owner added by \`pdpp move\` or \`pdpp restore\` without --name, or by the first \`pdpp serve\`, has no name until
\`pdpp owners name\` sets one. \`remove\` frees the name, waits up to 30 s for multi-owner servers to close this owner,
and deletes the data. First stop any server that serves only this owner.`,
  examples: [
    "pdpp owners list",
    "pdpp owners add alice",
    "pdpp owners name sub_own_1 alice",
    "pdpp owners remove alice --yes",
  ],
  actions: ["list", "add", "name", "remove"],
  options: { yes: { type: "boolean", about: "do not ask for confirmation" } },
  local: true,
  async run(context) {
    const url = databaseUrl();
    if (url === undefined) throw new UsageError("set DATABASE_URL; a home directory has one owner");
    const [verb = "list", ...words] = context.positionals;
    const [run, ...wanted] = VERBS[verb] ?? [];
    if (run === undefined)
      throw new UsageError(`choose a subcommand: ${Object.keys(VERBS).join(", ")}, not ${JSON.stringify(verb)}`);
    if (words.length !== wanted.length) throw new UsageError(["pdpp owners", verb, ...wanted].join(" "));
    await run(context, url, words);
    return 0;
  },
};

async function add({ json, out, note }: CommandContext, url: string, [called]: string[]): Promise<void> {
  const { subject } = await createOwner(url, called!);
  if (json) out(JSON.stringify({ object: "owner", name: called, owner_id: subject }));
  else out(`${called} is ${subject}.`);
  note(`Next: PDPP_OWNER=${called} pdpp owner reset`);
}

async function name({ json, out }: CommandContext, url: string, [owner, called]: string[]): Promise<void> {
  const subject = await renameOwner(url, owner!, called!);
  if (json) out(JSON.stringify({ object: "owner", name: called, owner_id: subject }));
  else out(`${subject} is now called ${called}.`);
}

async function remove({ json, out, note, values }: CommandContext, url: string, [owner]: string[]): Promise<void> {
  if (!values.yes) throw new UsageError(`this deletes all of ${owner}'s data in this database; add --yes to confirm`);
  const subject = await whileInterruptible((signal) =>
    deleteOwner(url, owner!, { signal, onWait: () => note("Waiting for servers to close this owner …") }),
  );
  if (json) out(JSON.stringify({ object: "owner", name: owner, owner_id: subject, deleted: true }));
  else
    out(
      `Deleted ${owner === subject ? subject : `${owner} (${subject})`} and all records. Blobs were not deleted: they are still stored under ${subject}.`,
    );
}

/** Owners are printed as they arrive, because there can be a million. */
async function list({ json, out, note }: CommandContext, url: string): Promise<void> {
  let shown = 0;
  if (json) out('{"object":"list","data":[');
  await listOwners(url, (page) => {
    if (page.length === 0) return;
    if (json) out(`${shown === 0 ? "" : ","}${page.map(asJson).join(",\n")}`);
    else out(page.map(asLine).join("\n"));
    shown += page.length;
  });
  if (json) out("]}");
  else if (shown === 0) out("No owners yet. `pdpp owners add NAME` adds one.");
  else note(count(shown, "owner"));
}

const asJson = ({ name, subject, createdAt }: ListedOwner): string =>
  JSON.stringify({ object: "owner", name, owner_id: subject, created_at: new Date(createdAt).toISOString() });

const asLine = ({ name, subject, createdAt }: ListedOwner): string =>
  `${(name ?? "(no name)").padEnd(20)}  ${subject}  ${new Date(createdAt).toISOString().slice(0, 10)}`;
