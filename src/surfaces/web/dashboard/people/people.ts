// /dashboard/people: who is named in the records of all sources; which identifiers are one person is the owner's to decide.
import { ownerPage } from "../../owner-page.ts";
import { PEOPLE } from "./addresses.ts";
import { type PeopleView, showPeople } from "./people-view.ts";

const DONE = { merged: "They are one person now.", split: "It is a separate person now." } as const;
const SHOWN = 50;

export const peoplePage = ownerPage<PeopleView>({
  path: PEOPLE,
  under: "explore",
  async load({ look, search }) {
    const q = (search.get("q") ?? "").trim();
    const cursor = search.get("cursor") ?? undefined;
    const page = await look("people", { ...(q === "" ? {} : { q }), limit: SHOWN, cursor });
    const done = search.get("done") ?? "";
    return {
      q,
      count: page.meta.count?.value ?? page.data.length,
      people: page.data,
      ...(page.next_cursor === undefined ? {} : { next: page.next_cursor }),
      ...(Object.hasOwn(DONE, done) ? { done: DONE[done as keyof typeof DONE] } : {}),
    };
  },
  show: showPeople,
  async post({ act }, form) {
    const split = form.get("split");
    if (split !== null) await act("splitPeople", { identifiers: [split] });
    else await act("mergePeople", { identifiers: form.getAll("person") });
    return `${PEOPLE}?done=${split === null ? "merged" : "split"}`;
  },
});
