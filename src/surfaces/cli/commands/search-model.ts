// pdpp search model: sets the embedding model for search by meaning.
import type { SearchModelRead } from "../../../contract/search-model.ts";
import { answer, type CommandContext, oneOf, text, UsageError } from "../command.ts";
import { nextCommand } from "../next-command.ts";
import { printable } from "../printable.ts";
import { count } from "../table.ts";

const ACTIONS = ["set", "show", "status", "remove"] as const;

/** Recognises `model show` and similar commands; anything else is a search. */
export function isModelCommand([first, action, ...rest]: readonly string[]): boolean {
  if (first !== "model") return false;
  return action === "set" ? rest.length === 1 : rest.length === 0 && ACTIONS.some((name) => name === action);
}

export async function searchModel(context: CommandContext): Promise<number> {
  const [, action, url] = context.positionals;
  if (action === "set") {
    const name = text(context.values, "name");
    if (name === undefined) throw new UsageError("specify the model with --name, such as --name nomic-embed-text");
    const remote = oneOf(context.values, "remote", ["yes", "no"]) === "yes";
    const set = await context.call("setSearchModel", { url: url!, name, remote });
    answer(context, set, settingText, () => `Progress: ${nextCommand(context, ["search", "model", "status"], {})}`);
    return 0;
  }
  if (action === "remove") {
    const removed = await context.call("removeSearchModel", {});
    // A running server deletes the vectors itself.
    const { home } = await context.connect();
    if (home !== undefined) await context.call("forgetVectors", {});
    answer(context, removed, ({ notice }) => `Removed the model and deleted its vectors. ${notice}`);
    return 0;
  }
  const model = await context.call("searchModel", {});
  answer(context, model, action === "show" ? settingText : statusText, ({ url: isSet }) =>
    isSet === undefined
      ? "Set one: pdpp search model set http://127.0.0.1:11434/v1 --name nomic-embed-text"
      : undefined,
  );
  return 0;
}

function settingText({ url, name, notice }: SearchModelRead): string {
  return url === undefined
    ? notice
    : `Model: ${printable(name!)}\nEndpoint: ${printable(url)}\n${printable(notice, 500)}`;
}

function statusText({ name, notice, progress }: SearchModelRead): string {
  if (progress === undefined) return notice;
  const { status, records, passages, error, retry_at } = progress;
  const read = `${records.done} of ${count(records.total, "record")} read, ${count(passages, "passage")}.`;
  if (status === "ready") return `${printable(name!)} is ready. ${read}`;
  if (error === undefined)
    return `${printable(name!)} is reading your records. ${read} It continues while the server runs.`;
  return `The endpoint failed: ${printable(error, 300)}. ${read} The next attempt is at ${retry_at}. Until then, search is by words only.`;
}
