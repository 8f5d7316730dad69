// Undo on the pages of people: the latest merge or split is reversed, and nothing else (V-12).
import type { PeopleDecisionsRead } from "../../../../contract/person.ts";
import type { Visit } from "../../owner-page.ts";
import type { Undoable } from "../../undo.ts";
import { wholeNumber } from "../words.ts";

export const undoForm = ({ revision }: PeopleDecisionsRead): Undoable["undo"] => [["revision", String(revision)]];

/** The decisions after the undo that the form asks for; undefined: the form asks for something else. */
export async function undone(
  { act }: Pick<Visit, "act">,
  form: URLSearchParams,
): Promise<PeopleDecisionsRead | undefined> {
  const revision = wholeNumber(form.get("revision"));
  return revision === undefined ? undefined : act("undoPeople", { revision });
}
