// /dashboard/people/{id}: everything about one person from all sources, by time, with merging and splitting.
import { PdppError } from "../../../../contract/errors.ts";
import type { PersonRead } from "../../../../contract/person.ts";
import { ownerPage, type Visit } from "../../owner-page.ts";
import { pair } from "../explore/addresses.ts";
import { dayAt } from "../explore/local-days.ts";
import { ownNames } from "../explore/stream-kind.ts";
import { daysOf, homeState } from "../home/state.ts";
import { timelineItems } from "../home/timeline-items.ts";
import { PEOPLE, personAddress } from "./addresses.ts";
import { undoForm, undone } from "./decision-undo.ts";
import { type PersonView, showPerson } from "./person-view.ts";

const PAGE = 60;
/** The number of matching people shown. */
const CANDIDATES = 6;

export const personPage = ownerPage<PersonView>({
  path: `${PEOPLE}/{id}`,
  under: "people",
  async load({ params, look, search, zone, now }) {
    const person = await requirePerson({ look }, params.id!);
    const { at, kinds, cursor } = homeState(search);
    const selection = { with: person.person_id, time_zone: zone };
    const merge = (search.get("merge") ?? "").trim();
    const [page, counts, me, candidates] = await Promise.all([
      look("timeline", {
        ...selection,
        ...(kinds.length === 0 ? {} : { kinds }),
        ...(at === undefined ? {} : daysOf(at)),
        limit: PAGE,
        ...(cursor === undefined ? {} : { cursor }),
      }),
      look("timelineCounts", { ...selection, granularity: "month" }),
      ownNames({ look }),
      merge === "" ? undefined : look("people", { q: merge, limit: CANDIDATES + 1 }),
    ]);
    return {
      person,
      today: dayAt(now, zone),
      me,
      ...(at === undefined ? {} : { at }),
      kinds,
      isFirstPage: cursor === undefined,
      items: await timelineItems({ look }, page.data),
      ...(page.next_cursor === undefined ? {} : { next: page.next_cursor }),
      months: counts.groups,
      merge,
      candidates: (candidates?.data ?? []).filter(({ person_id }) => person_id !== person.person_id),
      done: search.get("done") ?? "",
    };
  },
  show: showPerson,
  async post({ params, look, act }, form) {
    const person = await requirePerson({ look }, params.id!);
    const reversed = await undone({ act }, form);
    if (reversed !== undefined)
      return { location: personAddress(params.id!, [pair("done", "undone")]), undo: undoForm(reversed) };
    const [split, other] = [form.get("split"), form.get("other")];
    if (split !== null) {
      const decided = await act("splitPeople", { identifiers: [split] });
      const kept = person.identifiers.find(({ id }) => id !== split)?.id ?? person.person_id;
      return { location: personAddress(kept, [pair("done", split)]), undo: undoForm(decided) };
    }
    if (other === null)
      throw new PdppError("invalid_request", "no person was chosen", { next_step: "Choose a person." });
    const decided = await act("mergePeople", { identifiers: [person.person_id, other] });
    return { location: personAddress(person.person_id, [pair("done", "merged")]), undo: undoForm(decided) };
  },
});

async function requirePerson({ look }: Pick<Visit, "look">, id: string): Promise<PersonRead> {
  const isId = isIdentifier(id);
  const [found] = isId ? (await look("people", { q: id, limit: 1 })).data : [];
  if (found !== undefined) return found;
  throw new PdppError("not_found", "no record mentions this person any more", {
    next_step: "“People” lists everyone in your records.",
  });
}

const isIdentifier = (id: string): boolean => /^(?:address|number|handle|name):./s.test(id);
