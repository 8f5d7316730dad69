// /dashboard/people: the people in the records of all sources. The owner decides which identifiers belong to one
// person.
import { ownerPage } from "../../owner-page.ts";
import { ownNames } from "../explore/stream-kind.ts";
import { PEOPLE } from "./addresses.ts";
import { undoForm, undone } from "./decision-undo.ts";
import { type PeopleView, showPeople } from "./people-view.ts";

const DONE = {
  merged: "They are now listed as one person.",
  split: "This is a separate person now.",
  undone: "Undone.",
} as const;
const SHOWN = 50;

export const peoplePage = ownerPage<PeopleView>({
  path: PEOPLE,
  under: "people",
  async load({ look, search }) {
    const q = (search.get("q") ?? "").trim();
    const cursor = search.get("cursor") ?? undefined;
    const [page, me] = await Promise.all([
      look("people", { ...(q === "" ? {} : { q }), limit: SHOWN, cursor }),
      ownNames({ look }),
    ]);
    const done = search.get("done") ?? "";
    return {
      q,
      count: page.meta.count?.value ?? page.data.length,
      people: page.data,
      me,
      ...(page.next_cursor === undefined ? {} : { next: page.next_cursor }),
      ...(Object.hasOwn(DONE, done) ? { done: DONE[done as keyof typeof DONE] } : {}),
    };
  },
  show: showPeople,
  async post({ act }, form) {
    const reversed = await undone({ act }, form);
    if (reversed !== undefined) return { location: `${PEOPLE}?done=undone`, undo: undoForm(reversed) };
    const split = form.get("split");
    const decided =
      split === null
        ? await act("mergePeople", { identifiers: form.getAll("person") })
        : await act("splitPeople", { identifiers: [split] });
    return { location: `${PEOPLE}?done=${split === null ? "merged" : "split"}`, undo: undoForm(decided) };
  },
});
