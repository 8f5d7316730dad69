// pdpp move: copies an owner between a home directory and a database, and proves that both are the same.
import { resolve } from "node:path";
import { quote } from "../../../core/shell-quote.ts";
import { databaseUrl } from "../../../engine/database.ts";
import {
  type MoveOptions,
  type MoveReport,
  type MoveTarget,
  moveOwner,
  placeInDatabase,
} from "../../../engine/move.ts";
import { objectsOfOwner, objectsPlace } from "../../../engine/objects-place.ts";
import { type Command, type CommandContext, text, UsageError } from "../command.ts";
import { progress } from "../progress.ts";
import { count, table } from "../table.ts";

export const move: Command = {
  summary: "copy an owner between a home directory and PostgreSQL, proven equal",
  usage: "pdpp move --from PLACE --to PLACE [--home DIR]",
  details: `A PLACE is a home directory, a postgres:// address, or the word DATABASE_URL for the address in that variable, which keeps
its password out of the list of processes. Where a database has several owners, ?owner=sub_… at the end of its address
or PDPP_OWNER says which one to take.

Stop the servers of the source first: a home that is served is refused. The target must not have the owner yet. All of it
is copied, keys and tokens included, then both sides are read once more and compared; a difference undoes the move.
A move that is cut short leaves the target without the owner. The source stays as it is until you delete it.

A home directory takes its blobs into itself. With a database they are where PDPP_OBJECTS says, or else in the home directory
of its servers, which --home names. Moved into a database from that same directory, they stay where they are.`,
  examples: [
    "pdpp move --from ~/.postern --to postgres://pdpp@db.example/pdpp",
    "pdpp move --from DATABASE_URL --to ~/postern-again",
    "pdpp move --from 'postgres://pdpp@db.example/pdpp?owner=sub_1' --to ~/mine --home /srv/postern --json",
  ],
  options: { from: { type: "string" }, to: { type: "string" } },
  local: true,
  async run(context) {
    const { positionals, values, home, json, out } = context;
    const [from, to] = [text(values, "from"), text(values, "to")];
    if (positionals.length > 0 || from === undefined || to === undefined)
      throw new UsageError("say where from and where to: --from PLACE --to PLACE");
    const show = progress({ lines: true });
    const source = await sourceAt(from, home);
    const target = targetAt(to, home);
    const report = await moveOwner({ from: source, to: target, onProgress: show }).finally(() => show(undefined));
    if (json) out(JSON.stringify({ object: "move", ...report }));
    else render(context, report, target);
    return report.missing_blobs.length > 0 ? 7 : 0;
  },
};

interface Address {
  url: string;
  owner?: string;
}

/** undefined: it is a directory. */
function addressIn(place: string, option: string): Address | undefined {
  const said = place === "DATABASE_URL" ? databaseUrl() : place;
  if (said === undefined) throw new UsageError(`--${option} is DATABASE_URL, and that is not set`);
  const url = URL.parse(said);
  if (url === null || url.protocol === "file:" || !said.includes("://")) return undefined;
  // Without the value: it may hold a password.
  if (!/^postgres(ql)?:$/.test(url.protocol))
    throw new UsageError(`--${option} is a directory or a postgres:// address`);
  const owner = url.searchParams.get("owner");
  if (owner === null) return { url: said };
  // A parameter of ours: the database would not know it.
  url.searchParams.delete("owner");
  return { url: url.href, ...(owner === "" ? {} : { owner }) };
}

async function sourceAt(place: string, home: string): Promise<MoveOptions["from"]> {
  const address = addressIn(place, "from");
  if (address === undefined) return { home: resolve(place), objects: objectsPlace(resolve(place), process.env) };
  const owner = address.owner ?? (process.env.PDPP_OWNER || undefined);
  return placeInDatabase({ url: address.url, owner, home, objects: objectsPlace(home, process.env) });
}

function targetAt(place: string, home: string): MoveTarget {
  const address = addressIn(place, "to");
  if (address === undefined) return { home: resolve(place) };
  if (address.owner !== undefined) throw new UsageError("an owner keeps its name: leave ?owner= out of --to");
  const objects = objectsPlace(home, process.env);
  return { home, database: { url: address.url }, objectsFor: (subject) => objectsOfOwner(objects, subject) };
}

function render({ out, note }: CommandContext, report: MoveReport, target: MoveTarget): void {
  out(
    table(
      ["table", "rows", "sha256, the same on both sides"],
      report.tables.map(({ table: name, rows, sha256 }) => [name, String(rows), sha256]),
      { whole: [0, 2] },
    ),
  );
  out(
    `${report.owner}: ${count(report.records, "record")} with what was deleted, ${count(report.audit_entries, "line")} of the audit log, ${count(report.blobs, "blob")}. All in one: ${report.sha256}`,
  );
  if (report.missing_blobs.length > 0)
    note(
      `The source had lost ${count(report.missing_blobs.length, "blob")}: ${report.missing_blobs.slice(0, 5).join(", ")}`,
    );
  note("The source is as it was. Serve only one of the two from now on; delete the source when you are sure.");
  const where = target.database === undefined ? "" : `DATABASE_URL=postgres://… PDPP_OWNER=${report.owner} `;
  note(`Next: ${where}pdpp serve --home ${quote(target.home)}`);
}
