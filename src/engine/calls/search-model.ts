// Engine calls for search by meaning: the owner's embedding model, and the passages it embeds.
import * as queries from "../../contract/search-model-request.ts";
import * as requests from "../../contract/write.ts";
import { modelRead, removeSearchModel, searchModelOf, setSearchModel } from "../meaning/search-model.ts";
import { answer, ownerRead, ownerWrite, systemRead } from "./define.ts";

const PATH = "/v1/search-model";

export const SEARCH_MODEL_CALLS = {
  searchModel: ownerRead({
    query: requests.nothing,
    answer: "SearchModel",
    lane: "scans",
    route: { method: "GET", path: PATH, summary: "The embedding model for search, and its progress" },
    words: "Looked at the search model",
    complete: ({ meaning }, read) => meaning.withProgress(read),
    run: async ({ view, caller, meaning }) => {
      const model = await searchModelOf(view, caller.subjectId);
      if (model === undefined) return answer(modelRead(undefined));
      return answer({ ...modelRead(model), progress: await meaning().progress(view, caller.catalog, model) });
    },
  }),
  setSearchModel: ownerWrite({
    query: queries.searchModelSet,
    answer: "SearchModel",
    route: {
      method: "PUT",
      path: PATH,
      summary: "Send passages of records to this endpoint, for search by meaning",
      body: "merge",
    },
    words: "Set a search model",
    // Once a model is set, texts of records are sent to it.
    lastingAccess: true,
    notHosted: "text is not sent into its own network",
    effects: ["changesSearchModel"],
    run: setSearchModel,
  }),
  removeSearchModel: ownerWrite({
    query: requests.nothing,
    answer: "SearchModel",
    route: { method: "DELETE", path: PATH, summary: "Remove the model: search by words only, and delete its vectors" },
    words: "Removed the search model",
    effects: ["changesSearchModel"],
    run: removeSearchModel,
  }),
  /** Runs in the lane for quick reads, because most homes have no model and do not need a search index for this. */
  searchModelUsed: systemRead({
    query: requests.nothing,
    run: async ({ view, caller }) => (await searchModelOf(view, caller.subjectId))?.id,
  }),
  passagesToEmbed: systemRead({
    query: queries.passagesWanted,
    lane: "scans",
    notHosted: "text is not sent into its own network",
    run: async ({ view, caller, meaning }, { limit }): Promise<queries.PassageBatch> => {
      const model = await searchModelOf(view, caller.subjectId);
      if (model === undefined) return { records: [], through: 0, more: false };
      return meaning().wanted(view, caller.catalog, model, limit);
    },
  }),
  keepVectors: systemRead({
    query: queries.vectorsKept,
    lane: "scans",
    run: async ({ view, caller, meaning }, vectors) => {
      const model = await searchModelOf(view, caller.subjectId);
      if (model?.id === vectors.model) await meaning().keep(view, caller.catalog, vectors);
      return {};
    },
  }),
  forgetVectors: systemRead({
    query: requests.nothing,
    lane: "scans",
    run: async ({ view, caller, meaning }) => {
      if ((await searchModelOf(view, caller.subjectId)) === undefined) await meaning().forget();
      return {};
    },
  }),
};
