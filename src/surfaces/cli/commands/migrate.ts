// pdpp migrate: brings the tables of a database to what this pdpp needs, before servers start on it.
import { type Command, UsageError } from "../command.ts";
import { databaseUrl } from "../database.ts";

export const migrate: Command = {
  summary: "bring the tables of DATABASE_URL to what this pdpp needs",
  usage: "DATABASE_URL=postgres://… pdpp migrate\n       Servers do it when they start; several at once wait for one.",
  examples: ["DATABASE_URL=postgres://pdpp@db.example/pdpp pdpp migrate"],
  options: {},
  local: true,
  async run({ json, out }) {
    const url = databaseUrl();
    if (url === undefined)
      throw new UsageError("set DATABASE_URL; homes in a directory are brought up to date by themselves");
    const { migrateDatabase } = await import("../../../store/postgres/prepare.ts");
    const { from, to } = await migrateDatabase(url);
    if (json) out(JSON.stringify({ object: "migration", from, to }));
    else
      out(from === to ? `The database has format ${to} already.` : `The database went from format ${from} to ${to}.`);
    return 0;
  },
};
