// Decides whether a search also uses meaning. Returns its query vector if it does, or a warning that says why it does
// not.
import type { Warning } from "../../contract/answers.ts";
import type { SearchQuery } from "../../contract/read.ts";
import type { SearchExpression } from "../../core/search/query.ts";
import type { MethodContext } from "../calls/define.ts";
import { askQueryVector, knownQueryVector } from "../meaning/query-vectors.ts";
import { searchModelOf } from "../meaning/search-model.ts";
import type { BlendPosition, SearchAnswer } from "../projection/search/types.ts";
import type { SearchAsk } from "../projection/search-projection.ts";
import type { ReadContext } from "./context.ts";

interface Decided {
  meaning?: SearchAsk["meaning"];
  warnings: Warning[];
}

/** Decided before anything is read. The endpoint is called outside the snapshot, after which the read starts again. */
export async function meaningFor(
  context: ReadContext & Pick<MethodContext, "aside">,
  { mode, order, cursor }: SearchQuery,
  query: SearchExpression,
  position: BlendPosition | undefined,
): Promise<Decided> {
  const { view, caller } = context;
  if (mode === "lexical") return { warnings: [] };
  const model = await searchModelOf(view, caller.subjectId);
  const begun = model !== undefined && (await context.meaning().isBegun(model));
  const only = mode === "semantic";
  const unavailable = (why: string): Decided => ({
    warnings: [{ code: "mode_unavailable", message: `${why}; the search was lexical`, param: "mode" }],
  });
  if (model === undefined)
    return mode === undefined ? { warnings: [] } : unavailable(`${mode} search is not set up here`);
  if (!begun) return unavailable("the embedding model has not processed any records yet");
  if (position !== undefined) return { meaning: { model: model.id, only, position }, warnings: [] };
  // If the previous page was found by words, this one is too.
  if (cursor !== undefined || !hasMeaning(query) || order === "newest")
    return mode === undefined
      ? { warnings: [] }
      : unavailable("a search with phrases, fields, filters or order=newest matches words only");
  const known = knownQueryVector(model, query.prose!);
  const vector = known === undefined ? context.aside(() => askQueryVector(model, query.prose!)) : known;
  return vector === null
    ? unavailable("the embedding model is not responding")
    : { meaning: { model: model.id, vector, only }, warnings: [] };
}

/** A quoted phrase or a field is never widened, and a filter alone means nothing to a model. */
function hasMeaning({ clauses, prose }: SearchExpression): boolean {
  return prose !== undefined && clauses.every(({ quoted, field }) => !quoted && field === undefined);
}

export function unreadNotes({ blend }: SearchAnswer): Warning[] {
  if (blend === undefined || blend.unread === 0) return [];
  const message = `the embedding model has not processed ${blend.unread} of the records yet; these are found only by words`;
  return [{ code: "meaning_incomplete", message }];
}
