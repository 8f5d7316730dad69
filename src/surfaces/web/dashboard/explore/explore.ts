// /dashboard/explore: one search box over everything and, before a search, a list of what can be browsed.
import { html } from "hono/html";
import { ownerPage } from "../../owner-page.ts";
import { command, curl, tool } from "../../snippets.ts";
import { EXPLORE } from "./addresses.ts";
import { type ExploreHome, exploreHome } from "./home.ts";
import { homeBody } from "./home-view.ts";
import { type SearchView, searchRows, searchState, searchView } from "./search.ts";
import { searchBody, searchForm } from "./search-view.ts";

type ExploreView = { search: SearchView } | { home: ExploreHome; year?: string };

export const explorePage = ownerPage<ExploreView>({
  path: EXPLORE,
  under: "explore",
  async load(visit) {
    const state = searchState(visit.search);
    if (state !== undefined) return { search: await searchView(visit, state) };
    const year = /^\d{4}$/.exec(visit.search.get("year") ?? "")?.[0];
    const withFiles = visit.search.get("files") === "1";
    return { home: await exploreHome(visit, { year, withFiles }), ...(year === undefined ? {} : { year }) };
  },
  rows(visit) {
    const state = searchState(visit.search);
    return state === undefined ? undefined : searchRows(visit, state);
  },
  show(view, { times, origin }) {
    if ("search" in view) {
      const { search } = view;
      const words = search.state.q === "" ? "Explore" : search.state.q;
      return {
        title: `${words} · Search`,
        snippets: search.snippets,
        body: html`<h1 class="visually-hidden">Search</h1>${searchForm(search.state)}${searchBody(search, times)}`,
      };
    }
    return {
      title: "Explore",
      snippets: [curl(origin, "/v1/streams"), command("schema", "--server", origin), tool("schema", {})],
      body: html`<h1>Explore</h1>${searchForm()}${homeBody(view.home, view.year)}`,
    };
  },
});
