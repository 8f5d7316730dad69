// The columns that the owner chose for a stream's table. They are stored in the home, so that every browser shows them.
import type { ColumnChoice } from "../contract/write.ts";
import type { ReadView } from "../store/store.ts";
import type { WriteContext } from "./calls/define.ts";
import { COLUMNS } from "./write/connection-items.ts";
import { requireConnection } from "./write/sources.ts";

const idOf = ({ connection_id, stream }: Omit<ColumnChoice, "columns">): string => `${connection_id}/${stream}`;

export async function chosenColumns(
  view: ReadView,
  subjectId: string,
  place: Omit<ColumnChoice, "columns">,
): Promise<{ columns: string[] }> {
  const item = await view.item(subjectId, COLUMNS, idOf(place));
  return (item?.body as { columns: string[] } | undefined) ?? { columns: [] };
}

export async function chooseColumns(
  { view, caller, now }: WriteContext,
  choice: ColumnChoice,
): Promise<{ columns: string[] }> {
  const { connection_id, columns } = choice;
  requireConnection(caller, connection_id);
  const { subjectId } = caller;
  if (columns.length === 0) await view.deleteItem(subjectId, COLUMNS, idOf(choice));
  else
    await view.putItem(subjectId, {
      kind: COLUMNS,
      id: idOf(choice),
      holder: connection_id,
      createdAt: now,
      dueAt: null,
      body: { columns },
    });
  return { columns };
}
