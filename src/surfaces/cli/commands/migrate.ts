// pdpp migrate: migrates the tables of a database to the current format before servers start on it.
import { databaseUrl, migrateDatabase } from "../../../engine/database.ts";
import { type Command, UsageError } from "../command.ts";

export const migrate: Command = {
  summary: "upgrade the database at DATABASE_URL for this version of pdpp",
  usage:
    "pdpp migrate\n       Upgrades the database at DATABASE_URL. Servers also do this when they start; if several start at once, only one does it.",
  examples: ["pdpp migrate", "pdpp migrate --json"],
  options: {},
  local: true,
  async run({ positionals, json, out }) {
    if (positionals.length > 0) throw new UsageError(`unexpected argument ${JSON.stringify(positionals[0])}`);
    const url = databaseUrl();
    if (url === undefined) throw new UsageError("set DATABASE_URL; homes in a directory are upgraded automatically");
    const { from, to } = await migrateDatabase(url);
    if (json) out(JSON.stringify({ object: "migration", from, to }));
    else
      out(
        from === to ? `The database already has format ${to}.` : `Upgraded the database from format ${from} to ${to}.`,
      );
    return 0;
  },
};
