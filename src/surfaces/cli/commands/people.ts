// pdpp people: lists the people in the records of all sources, and shows which identifiers belong to one person.
import type { PeopleDecisionsRead, PersonList, PersonRead } from "../../../contract/person.ts";
import { answer, type Command, type CommandContext, text, UsageError, wholeNumber } from "../command.ts";
import { nextCommand, sameCommand } from "../next-command.ts";
import { plainJson, printable } from "../printable.ts";
import { count, table } from "../table.ts";

export const people: Command = {
  summary: "people mentioned in your records: list, merge, split",
  usage:
    "pdpp people [NAME|ADDRESS|NUMBER] [--limit N] [--cursor C]\n" +
    "       pdpp people merge IDENTIFIER IDENTIFIER …   these are one person\n" +
    "       pdpp people split IDENTIFIER …              each is a separate person, even if records link them\n" +
    "       pdpp people undo REVISION                   reverse the latest merge or split",
  examples: ["pdpp people", "pdpp people nora", "pdpp people --limit 5 --json"],
  actions: ["merge", "split", "undo"],
  options: {
    limit: { type: "string", value: "N", about: "at most this many results" },
    cursor: { type: "string", value: "CURSOR", about: "continue after the page that printed this cursor" },
  },
  async run(context) {
    const [first, ...rest] = context.positionals;
    if (first === "merge" || first === "split") return decide(context, first, rest);
    if (first === "undo") return undo(context, rest);
    const q = context.positionals.length === 0 ? undefined : context.positionals.join(" ");
    const query = { q, limit: wholeNumber(context.values, "limit", 1), cursor: text(context.values, "cursor") };
    const page = await context.call("people", query);
    if (context.json) context.out(plainJson(JSON.stringify(page)));
    else show(context, page, q);
    return 0;
  },
};

function show(context: CommandContext, page: PersonList, q: string | undefined): void {
  if (page.data.length === 0) {
    context.out(q === undefined ? "No people yet." : `No person matches ${printable(q)}.`);
    return;
  }
  const rows = page.data.map((person) => [
    person.name ?? "",
    [...person.addresses, ...person.numbers, ...person.handles].join(", "),
    String(person.mentions),
    person.last_at?.slice(0, 10) ?? "",
    [...new Set(person.sources.map((source) => source.display_name ?? source.connection_id))].join(", "),
  ]);
  context.out(table(["name", "identifiers", "mentions", "last", "sources"], rows, { cellMax: 50 }));
  const total = page.meta.count?.value ?? page.data.length;
  context.note(`${count(total, "person", "people")}.`);
  context.note(
    `Records that mention the first person listed: ${nextCommand(context, ["search", `with:"${nameOf(page.data[0]!)}"`], {})}`,
  );
  if (page.next_cursor !== undefined)
    context.note(`More: ${sameCommand(context, "people", { cursor: page.next_cursor })}`);
}

/** A quote would end the name inside a query. */
const nameOf = ({ name, person_id }: PersonRead): string => (name ?? person_id).replaceAll('"', " ");

async function decide(context: CommandContext, what: "merge" | "split", identifiers: string[]): Promise<number> {
  if (identifiers.length < (what === "merge" ? 2 : 1))
    throw new UsageError(`pdpp people ${what} takes ${what === "merge" ? "two or more" : "one or more"} identifiers`);
  const done = await context.call(what === "merge" ? "mergePeople" : "splitPeople", { identifiers });
  return decided(
    context,
    done,
    what === "merge" ? "They are one person now." : "Each of them is a separate person now.",
  );
}

async function undo(context: CommandContext, [given, ...more]: string[]): Promise<number> {
  const revision = /^[1-9]\d{0,8}$/.test(given ?? "") ? Number(given) : undefined;
  if (revision === undefined || more.length > 0)
    throw new UsageError("pdpp people undo takes the revision that the merge or split printed");
  return decided(context, await context.call("undoPeople", { revision }), "Undone.");
}

function decided(context: CommandContext, done: PeopleDecisionsRead, words: string): number {
  answer(
    context,
    done,
    ({ merged, apart }) =>
      `${words}\nYour decisions so far: ${count(merged.length, "merged person", "merged people")}, ${count(apart.length, "identifier")} split off.`,
    ({ revision }) => `To undo it: ${nextCommand(context, ["people", "undo", String(revision)])}`,
  );
  return 0;
}
