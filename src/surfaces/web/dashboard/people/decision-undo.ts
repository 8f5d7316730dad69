// Undo on the people pages. Only the latest merge or split is reversed (V-12).
import type { PeopleDecisionsRead } from "../../../../contract/person.ts";
import type { Visit } from "../../owner-page.ts";
import type { Undoable } from "../../undo.ts";
import { wholeNumber } from "../words.ts";

export const undoForm = ({ revision }: PeopleDecisionsRead): Undoable["undo"] => [["revision", String(revision)]];

/**
 * Performs the undo that the form requests and returns the decisions after it. Returns undefined if the form requests
 * something else.
 */
export async function undone(
  { act }: Pick<Visit, "act">,
  form: URLSearchParams,
): Promise<PeopleDecisionsRead | undefined> {
  const revision = wholeNumber(form.get("revision"));
  return revision === undefined ? undefined : act("undoPeople", { revision });
}
