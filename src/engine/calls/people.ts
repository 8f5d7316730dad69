// Engine calls for people: those who appear in the records that a caller can see, and the owner's decisions about their
// identifiers.
import * as queries from "../../contract/people.ts";
import { mergePeople, splitPeople, undoPeople } from "../people-decisions.ts";
import { readPeople } from "../read/people.ts";
import { ownerWrite, read } from "./define.ts";

export const PEOPLE_CALLS = {
  people: read({
    query: queries.peopleQuery,
    answer: "PersonList",
    lane: "scans",
    route: {
      method: "GET",
      path: "/v1/people",
      summary: "People mentioned in records, by addresses, numbers, handles and cards",
    },
    words: "Listed people",
    run: readPeople,
  }),
  mergePeople: ownerWrite({
    query: queries.peopleMerge,
    answer: "PeopleDecisions",
    route: { method: "POST", path: "/v1/people/merge", summary: "Merge identifiers into one person", body: "merge" },
    words: "Merged people",
    run: mergePeople,
  }),
  splitPeople: ownerWrite({
    query: queries.peopleSplit,
    answer: "PeopleDecisions",
    route: {
      method: "POST",
      path: "/v1/people/split",
      summary: "Split identifiers into separate people, even if records link them",
      body: "merge",
    },
    words: "Split people",
    run: splitPeople,
  }),
  undoPeople: ownerWrite({
    query: queries.peopleUndo,
    answer: "PeopleDecisions",
    route: {
      method: "POST",
      path: "/v1/people/undo",
      summary: "Undo the latest merge or split; a second call redoes it",
      body: "merge",
    },
    words: "Undid a merge or split of people",
    run: undoPeople,
  }),
};
