// pdpp owners: whose data a database holds that hosts many, for those who run it.

import { databaseUrl } from "../../../engine/database.ts";
import { createOwner, deleteOwner, listOwners } from "../../../engine/owners.ts";
import { type Command, type CommandContext, UsageError } from "../command.ts";
import { count, table } from "../table.ts";

export const owners: Command = {
  summary: "whose data DATABASE_URL holds: add, list, remove",
  usage: "pdpp owners list\n       pdpp owners add NAME\n       pdpp owners remove NAME --yes",
  details: `NAME becomes a part of the owner's address: pdpp serve --public-url 'https://*.data.example' answers for NAME at
https://NAME.data.example. PDPP_OWNER=NAME lets every other command work for that owner: the first is
\`pdpp owner reset\`, which prints the link to set a password.`,
  examples: ["pdpp owners list", "pdpp owners add alice", "pdpp owners remove alice --yes"],
  options: { yes: { type: "boolean" } },
  local: true,
  async run(context) {
    const { positionals, json, out, note, values } = context;
    const url = databaseUrl();
    if (url === undefined) throw new UsageError("set DATABASE_URL; a home directory has one owner");
    const [verb = "list", name, ...rest] = positionals;
    if (rest.length > 0) throw new UsageError("name one owner");
    if (verb === "list" && name === undefined) return list(context, url);
    if (name === undefined) throw new UsageError(`pdpp owners ${verb} NAME`);
    if (verb === "add") {
      const { subject } = await createOwner(url, name);
      if (json) out(JSON.stringify({ object: "owner", name, owner_id: subject }));
      else out(`${name} is ${subject}.`);
      note(`Next: PDPP_OWNER=${name} pdpp owner reset`);
      return 0;
    }
    if (verb === "remove") {
      if (!values.yes) throw new UsageError(`all that ${name} has here would be gone; say --yes if you mean it`);
      const subject = await deleteOwner(url, name);
      if (json) out(JSON.stringify({ object: "owner", name, owner_id: subject, deleted: true }));
      else out(`${name} (${subject}) and all records are gone. Blobs stay where they were: below ${subject}.`);
      return 0;
    }
    throw new UsageError(`pdpp owners list, add or remove, not ${JSON.stringify(verb)}`);
  },
};

async function list({ json, out, note }: CommandContext, url: string): Promise<number> {
  const found = await listOwners(url);
  if (json) {
    const data = found.map(({ name, subject, createdAt }) => ({
      object: "owner",
      name,
      owner_id: subject,
      created_at: new Date(createdAt).toISOString(),
    }));
    out(JSON.stringify({ object: "list", data }));
    return 0;
  }
  if (found.length === 0) out("No owners with a name. `pdpp owners add NAME` makes one.");
  else {
    out(
      table(
        ["name", "owner", "since"],
        found.map(({ name, subject, createdAt }) => [name, subject, new Date(createdAt).toISOString().slice(0, 10)]),
      ),
    );
    note(count(found.length, "owner"));
  }
  return 0;
}
