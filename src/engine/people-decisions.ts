// The owner's decisions about people: which identifiers belong to one person, and which are kept apart. Imports do not
// change them.
import { PdppError } from "../contract/errors.ts";
import { PEOPLE_DECISIONS_MAX } from "../contract/limits.ts";
import type { PeopleMerge, PeopleSplit, PeopleUndo } from "../contract/people.ts";
import type { PeopleDecisionsRead } from "../contract/person.ts";
import { keyOf } from "../core/people/identifiers.ts";
import type { PeopleDecisions } from "../core/people/persons.ts";
import type { ReadView } from "../store/store.ts";
import type { WriteContext } from "./calls/define.ts";

const KIND = "people";
const ID = "decisions";

interface StoredDecisions extends PeopleDecisions {
  /** Absent in decisions from older releases. */
  revision?: number;
  /** The decisions before the latest one, for undoing it. */
  before?: PeopleDecisions;
}

export async function peopleDecisions(view: ReadView, subjectId: string): Promise<StoredDecisions> {
  const item = await view.item(subjectId, KIND, ID);
  return item === undefined ? { merged: [], apart: [] } : (item.body as unknown as StoredDecisions);
}

/** Merges lists that share an identifier. Merged identifiers are no longer split. */
export async function mergePeople(context: WriteContext, { identifiers }: PeopleMerge): Promise<PeopleDecisionsRead> {
  const keys = keysOf(identifiers);
  return decide(context, ({ merged, apart }) => {
    const joined = merged.filter((list) => list.some((key) => keys.includes(key)));
    return {
      merged: [...merged.filter((list) => !joined.includes(list)), [...new Set([...keys, ...joined.flat()])]],
      apart: apart.filter((key) => !keys.includes(key)),
    };
  });
}

export async function splitPeople(context: WriteContext, { identifiers }: PeopleSplit): Promise<PeopleDecisionsRead> {
  const keys = keysOf(identifiers);
  return decide(context, ({ merged, apart }) => ({
    merged: merged.map((list) => list.filter((key) => !keys.includes(key))).filter((list) => list.length > 1),
    apart: [...new Set([...apart, ...keys])],
  }));
}

/** Restores the decisions before the latest one. Refused if there are later decisions, which must not be lost. */
export async function undoPeople(context: WriteContext, { revision }: PeopleUndo): Promise<PeopleDecisionsRead> {
  return decide(context, (stored) => {
    if (stored.before !== undefined && stored.revision === revision) return stored.before;
    throw new PdppError("invalid_request", "people have been merged or split again since, or this was already undone", {
      param: "revision",
      next_step: "Merge or split the people by hand.",
    });
  });
}

/** A handle is ambiguous without its source, and it would match no one as a name. */
function keysOf(identifiers: readonly string[]): string[] {
  const handle = identifiers.find((text) => text.startsWith("@"));
  if (handle !== undefined) {
    throw new PdppError(
      "invalid_request",
      `${handle} is a handle, and the same handle may belong to another person elsewhere`,
      {
        param: "identifiers",
        next_step: `Write handle:SOURCE:${handle.slice(1)}, as listed in identifiers by GET /v1/people?q=${encodeURIComponent(handle)}.`,
      },
    );
  }
  return [...new Set(identifiers.map(keyOf))];
}

async function decide(
  { view, caller, now }: WriteContext,
  change: (decisions: StoredDecisions) => PeopleDecisions,
): Promise<PeopleDecisionsRead> {
  const stored = await peopleDecisions(view, caller.subjectId);
  const decisions = change(stored);
  if (decisions.apart.length + decisions.merged.flat().length > PEOPLE_DECISIONS_MAX)
    throw new PdppError("resource_limit", `more than ${PEOPLE_DECISIONS_MAX} identifiers were merged or split`);
  const revision = (stored.revision ?? 0) + 1;
  const body = { ...decisions, revision, before: { merged: stored.merged, apart: stored.apart } };
  await view.putItem(caller.subjectId, { kind: KIND, id: ID, holder: null, createdAt: now, dueAt: null, body });
  return { object: "people_decisions", ...decisions, revision };
}
