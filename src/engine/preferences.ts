// The owner's preferences for pages, stored as one item.
import type { Preferences } from "../contract/preferences.ts";
import type { ReadView } from "../store/store.ts";
import type { WriteContext } from "./calls/define.ts";

const KIND = "preferences";
const ID = "pages";

export async function preferencesOf(view: ReadView, subjectId: string): Promise<Preferences> {
  const item = await view.item(subjectId, KIND, ID);
  return (item?.body as Preferences | undefined) ?? { theme: "system" };
}

export async function setPreferences({ view, caller, now }: WriteContext, chosen: Preferences): Promise<Preferences> {
  await view.putItem(caller.subjectId, {
    kind: KIND,
    id: ID,
    holder: null,
    createdAt: now,
    dueAt: null,
    body: { ...chosen },
  });
  return chosen;
}
