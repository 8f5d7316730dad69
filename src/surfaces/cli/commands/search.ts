// pdpp search: finds records by their words, and shows the matching passage of each.
import { decodeXML } from "entities";
import type { SearchList, SearchResult } from "../../../contract/answers.ts";
import type { SearchQuery } from "../../../contract/read.ts";
import { type Command, type CommandContext, list, oneOf, text, UsageError, wholeNumber } from "../command.ts";
import { filterFrom } from "../filters.ts";
import { namedConnection } from "../named-connection.ts";
import { nextCommand, sameCommand } from "../next-command.ts";
import { plainJson, printable } from "../printable.ts";
import { count } from "../table.ts";
import { isModelCommand, searchModel } from "./search-model.ts";

export const search: Command = {
  summary: "search records, with the passage that matched",
  usage:
    "pdpp search WORDS … [--connection ID|NAME] [--stream S …] [--filter FIELD=VALUE …] [--mode M] [--newest] [--limit N] [--cursor C] [--facets]\n" +
    "       pdpp search model set URL --name MODEL [--remote yes]   also search by meaning, with this embedding model\n" +
    "       pdpp search model show | status | remove",
  examples: [
    "pdpp search landlord notice period",
    "pdpp search lisbon -flight",
    "pdpp search '\"notice period\" -hotel after:2025-01'",
    "pdpp search subject:invoice --stream messages --newest",
    "pdpp search lisb* --limit 3 --json",
    "pdpp search model show",
  ],
  options: {
    connection: {
      type: "string",
      value: "ID|NAME",
      about: "the connection, by id or name; needed if several have the stream",
    },
    stream: {
      type: "string",
      multiple: true,
      value: "STREAM",
      about: "search only this stream; can be repeated",
    },
    filter: {
      type: "string",
      multiple: true,
      value: "CONDITION",
      about: "only records that match; repeat it to combine conditions",
    },
    mode: {
      type: "string",
      value: "lexical|semantic|hybrid",
      about: "by words, by meaning, or both; both is the default once a model is set",
    },
    name: { type: "string", value: "MODEL", about: "model set: the endpoint's name for the model" },
    remote: {
      type: "string",
      value: "yes|no",
      about: "model set: yes if the text of your records may be sent to another machine",
    },
    newest: { type: "boolean", about: "newest first instead of best match first" },
    limit: { type: "string", value: "N", about: "at most this many results" },
    cursor: { type: "string", value: "CURSOR", about: "continue after the page that printed this cursor" },
    facets: { type: "boolean", about: "also show where the matches are: streams, connections, years" },
  },
  dashedWords: true,
  async run(context) {
    const { positionals, values, json, out } = context;
    if (positionals.length === 0) throw new UsageError("specify something to search for");
    if (isModelCommand(positionals)) return searchModel(context);
    const request: SearchQuery = {
      q: positionals.join(" "),
      connection_id: await namedConnection(context),
      streams: list(values, "stream"),
      filter: filterFrom(values),
      mode: oneOf(values, "mode", ["lexical", "semantic", "hybrid"]),
      order: values.newest === true ? "newest" : undefined,
      limit: wholeNumber(values, "limit", 1) ?? 10,
      cursor: text(values, "cursor"),
      facets: values.facets === true ? true : undefined,
    };
    const page = await (await context.reader()).search(request);
    if (json) out(plainJson(JSON.stringify(page)));
    else show(context, page);
    return 0;
  },
};

function show(context: CommandContext, page: SearchList): void {
  const { out, note } = context;
  const { count: found, matched, unmatched, relaxed, suggestions, source_mix, facets, warnings, searched } = page.meta;
  for (const warning of warnings ?? []) note(`Note: ${printable(warning.message, 300)}`);
  if (relaxed !== undefined) note(`Note: ${relaxed}.`);
  const listed = (words: string[]) => words.map((word) => printable(word)).join(", ");
  if (unmatched !== undefined) note(`Note: no record contains ${listed(unmatched)}.`);
  if (suggestions !== undefined && suggestions.length > 0) note(`Did you mean: ${listed(suggestions)}?`);
  if (page.data.length === 0) {
    out(`Nothing found in ${count(searched.streams, "stream")} of ${count(searched.connections, "connection")}.`);
    return;
  }
  for (const [source, hits] of Map.groupBy(page.data, sourceOf)) {
    out(strong(source));
    for (const hit of hits) out(hitText(hit));
  }
  note(
    `${count(found.value, "record")} found${matched === undefined || matched.all === matched.any ? "" : `, ${matched.all} with every word`}${source_mix === undefined ? "" : `: ${source_mix.map((row) => `${row.count} in ${printable(`${row.display_name} ${row.stream}`)}`).join(", ")}`}.`,
  );
  for (const { month, count: inMonth } of facets?.months ?? [])
    out(`  ${month === "" ? "no date" : month}  ${inMonth}`);
  note(`To read one in full: ${nextCommand(context, ["fetch", page.data[0]!.handle], {})}`);
  const cut = page.data.flatMap((hit) => hit.evidence_excerpts).find((excerpt) => excerpt.truncated && excerpt.read);
  if (cut?.read) note(`Read more around a passage: ${nextCommand(context, ["fetch", cut.read.handle], {})}`);
  if (page.next_cursor !== undefined) note(`More: ${sameCommand(context, "search", { cursor: page.next_cursor })}`);
}

const sourceOf = (hit: SearchResult): string => printable(`${hit.display_name ?? hit.connector_key} · ${hit.stream}`);

function hitText(hit: SearchResult): string {
  const when = hit.authored_at === undefined ? "" : `${hit.authored_at.slice(0, 10)}  `;
  const passages = hit.evidence_excerpts.map((one) => `${printable(one.field_path)}: ${marked(one.marked_text)}`);
  const shown = passages.length === 0 ? "" : `\n      ${passages.join(" · ")}`;
  const more = hit.repeats === undefined ? "" : `\n      and ${hit.repeats.count} more with the same passage`;
  const near = hit.found_by === undefined ? "" : "  (by meaning)";
  return `  ${when}${printable(hit.title, 100)}${near}\n      ${printable(hit.handle, 300)}${shown}${more}`;
}

const onTerminal = (): boolean => process.stdout.isTTY === true && process.env.NO_COLOR === undefined;
const strong = (words: string): string => (onTerminal() ? `\u001b[1m${words}\u001b[22m` : words);

/** Turns marks into highlighting. All other text is unescaped and cannot control the terminal. */
function marked(snippet: string): string {
  const plain = (part: string) => printable(decodeXML(part), 400);
  return snippet
    .split(/(<mark>.*?<\/mark>)/s)
    .map((part) => {
      const match = /^<mark>(.*)<\/mark>$/s.exec(part)?.[1];
      if (match === undefined) return plain(part);
      return onTerminal() ? `\u001b[1;33m${plain(match)}\u001b[22;39m` : `[${plain(match)}]`;
    })
    .join("");
}
