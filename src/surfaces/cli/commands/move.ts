// pdpp move: copies an owner between a home directory and a database, and proves that both are equal.
import { existsSync } from "node:fs";
import { relative, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { quote } from "../../../core/shell-quote.ts";
import { checkedAddress, databaseUrl, ownerAsked } from "../../../engine/database.ts";
import {
  type MoveOptions,
  type MoveReport,
  type MoveTarget,
  moveOwner,
  placeInDatabase,
} from "../../../engine/move.ts";
import { type ObjectPlace, objectsOfOwner, objectsPlace } from "../../../engine/objects-place.ts";
import { type Command, type CommandContext, text, UsageError } from "../command.ts";
import { reportingInterruption } from "../interruption.ts";
import { readingFrom } from "../own-place.ts";
import { progress } from "../progress.ts";
import { count, table } from "../table.ts";

export const move: Command = {
  summary: "copy an owner between a home directory and PostgreSQL, and verify the copy",
  usage: "pdpp move --from PLACE --to PLACE [--name NAME] [--home DIR]",
  details: `A PLACE is a home directory, a postgres:// address, or the word DATABASE_URL for the address in that variable, which keeps
its password out of the process list. If a database has several owners, ?owner=OWNER at the end of its address or
PDPP_OWNER selects the one to move, by name or id. --name sets the owner's name in the target database (\`pdpp owners\`);
a name that is taken is refused before anything is copied.

Stop the servers of the source first: a home that is being served is refused. The target must not already contain the owner. Everything
is copied, including keys and tokens. Then both sides are read again and compared; if they differ, the move is undone.
An interrupted move leaves the target without the owner. The source stays unchanged until you delete it.

A home directory contains its blobs. With a database, they are stored at PDPP_OBJECTS, or otherwise in this owner's
folder in the servers' home directory (--home). The output shows the folder, and whether it is inside the source.`,
  examples: [
    "pdpp move --from ~/.postern --to postgres://pdpp@db.example/pdpp",
    "pdpp move --from DATABASE_URL --to ~/postern-again",
    "pdpp move --from ~/.postern --to DATABASE_URL --name alice",
    "pdpp move --from 'postgres://pdpp@db.example/pdpp?owner=sub_1' --to ~/mine --home /srv/postern --json",
  ],
  options: {
    from: { type: "string", value: "PLACE", about: "the home or database to copy from" },
    to: { type: "string", value: "PLACE", about: "the home or database to copy to" },
    name: { type: "string", value: "NAME", about: "the owner's name in the target database" },
  },
  local: true,
  async run(context) {
    const { positionals, values, home, json, out, note } = context;
    const [from, to] = [text(values, "from"), text(values, "to")];
    if (positionals.length > 0 || from === undefined || to === undefined)
      throw new UsageError("specify both places: --from PLACE --to PLACE");
    const show = progress({ lines: true });
    const target = targetAt(to, home, text(values, "name"));
    const source = await sourceAt(from, home);
    const report = await reportingInterruption(
      "Stopped: the owner was not added to the target, and the source is unchanged.",
      () => readingFrom(source, note, (readable) => moveOwner({ from: readable, to: target, onProgress: show })),
    ).finally(() => show(undefined));
    if (json) out(JSON.stringify({ object: "move", ...report }));
    else render(context, report, source, target);
    return report.missing_blobs.length > 0 ? 7 : 0;
  },
};

type MoveEnd = MoveOptions["from"];

interface MoveAddress {
  url: string;
  owner?: string;
}

/** Returns undefined if the place is a directory. */
function addressIn(place: string, option: string): MoveAddress | undefined {
  const said = place === "DATABASE_URL" ? databaseUrl() : place;
  if (said === undefined) throw new UsageError(`--${option} refers to DATABASE_URL, which is not set`);
  // The messages here and below omit the value, because it may contain a password.
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(said)) {
    if (!existsSync(said)) checkIsNoAddress(said, option);
    return undefined;
  }
  if (!/^postgres(ql)?:/i.test(said)) throw new UsageError(`--${option} must be a directory or a postgres:// address`);
  const address = checkedAddress(said, `--${option}`);
  const url = new URL(address);
  const owner = url.searchParams.get("owner");
  if (owner === null) return { url: address };
  // This is our own parameter. The database would reject it.
  url.searchParams.delete("owner");
  return { url: url.href, ...(owner === "" ? {} : { owner }) };
}

/**
 * Rejects mistyped addresses. Otherwise they would become directories, and a home with all its keys in an unintended
 * directory is easily forgotten.
 */
function checkIsNoAddress(place: string, option: string): void {
  if (/^database_url$/i.test(place)) throw new UsageError(`--${option}: write DATABASE_URL in capitals`);
  if (/^[a-z][a-z0-9+.-]+:/i.test(place))
    throw new UsageError(
      `--${option} is not a valid address: it must begin with postgres:// (for a directory: ./NAME)`,
    );
}

async function sourceAt(place: string, home: string): Promise<MoveEnd> {
  const address = addressIn(place, "from");
  if (address === undefined) return { home: resolve(place), objects: objectsPlace(resolve(place), process.env) };
  const owner = address.owner ?? ownerAsked();
  return placeInDatabase({ url: address.url, owner, home, objects: objectsPlace(home, process.env) });
}

function targetAt(place: string, home: string, name: string | undefined): MoveTarget {
  const address = addressIn(place, "to");
  if (address === undefined && name !== undefined)
    throw new UsageError("--name is for a database: a home directory has one owner");
  if (address === undefined) return { home: resolve(place) };
  if (address.owner !== undefined)
    throw new UsageError("an owner's id does not change: remove ?owner= from --to, or use --name to set a name");
  const objects = objectsPlace(home, process.env);
  return { home, database: { url: address.url, name }, objectsFor: (subject) => objectsOfOwner(objects, subject) };
}

function render({ out, note }: CommandContext, report: MoveReport, source: MoveEnd, target: MoveTarget): void {
  out(
    table(
      ["table", "rows", "sha256, the same on both sides"],
      report.tables.map(({ table: name, rows, sha256 }) => [name, String(rows), sha256]),
      { whole: [0, 2] },
    ),
  );
  out(
    `${report.owner}: ${count(report.records, "record")} including deleted ones, ${count(report.audit_entries, "line")} in the audit log, ${count(report.blobs, "blob")}. Digest of everything: ${report.sha256}`,
  );
  if (report.missing_blobs.length > 0)
    note(
      `The source lacks ${count(report.missing_blobs.length, "blob")}: ${report.missing_blobs.slice(0, 5).join(", ")}`,
    );
  note("The source is unchanged. Serve only one of the two from now on; delete the source when you are sure.");
  const { database, objectsFor } = target;
  const blobs = objectsFor?.(report.owner);
  if (blobs !== undefined && report.blobs > 0) note(whereBlobsAre(blobs, source));
  const where = database === undefined ? "" : `DATABASE_URL=postgres://… PDPP_OWNER=${database.name ?? report.owner} `;
  note(`Next: ${where}pdpp serve --home ${quote(target.home)}`);
}

/** Warns if the blobs are inside the source, because deleting the whole source would delete them too. */
function whereBlobsAre(blobs: ObjectPlace, { home, objects }: MoveEnd): string {
  const at = blobs.kind === "s3" ? `s3://${blobs.bucket}/${blobs.prefix}` : blobs.root;
  const isInSource = blobs.kind === "s3" ? isDeepStrictEqual(blobs, objects) : !relative(home, at).startsWith("..");
  return isInSource
    ? `The owner's blobs are in ${at}, which is in the source: KEEP THAT FOLDER when you delete the rest.`
    : `The owner's blobs are in ${at}.`;
}
