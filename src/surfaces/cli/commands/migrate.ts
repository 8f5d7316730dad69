// pdpp migrate: brings the tables of a database to what this pdpp needs, before servers start on it.
import { databaseUrl, migrateDatabase } from "../../../engine/database.ts";
import { type Command, UsageError } from "../command.ts";

export const migrate: Command = {
  summary: "bring the tables of DATABASE_URL to what this pdpp needs",
  usage:
    "pdpp migrate\n       On the database that DATABASE_URL names. Servers do it when they start; of several at once one does.",
  examples: ["pdpp migrate", "pdpp migrate --json"],
  options: {},
  local: true,
  async run({ positionals, json, out }) {
    if (positionals.length > 0) throw new UsageError(`what is ${JSON.stringify(positionals[0])}?`);
    const url = databaseUrl();
    if (url === undefined)
      throw new UsageError("set DATABASE_URL; homes in a directory are brought up to date by themselves");
    const { from, to } = await migrateDatabase(url);
    if (json) out(JSON.stringify({ object: "migration", from, to }));
    else
      out(from === to ? `The database has format ${to} already.` : `The database went from format ${from} to ${to}.`);
    return 0;
  },
};
