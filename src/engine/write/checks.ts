// When a connection was last checked against its source, and the outcome. This is the basis of freshness and health.
import type { JsonValue } from "../../contract/record.ts";
import type { ConnectionCheck } from "../../core/freshness.ts";
import type { ReadView, WriteView } from "../../store/store.ts";
import { CHECK } from "./connection-items.ts";

export async function noteCheck(
  view: WriteView,
  subjectId: string,
  connectionId: string,
  { at, ok, message }: { at: number; ok: boolean; message?: string },
): Promise<void> {
  const before = await checkOf(view, subjectId, connectionId);
  const check: ConnectionCheck = {
    at,
    ok,
    okAt: ok ? at : (before?.okAt ?? null),
    ...(message === undefined ? {} : { message }),
  };
  await view.putItem(subjectId, {
    kind: CHECK,
    id: connectionId,
    holder: null,
    createdAt: at,
    dueAt: null,
    body: check as unknown as JsonValue,
  });
}

export async function checkOf(
  view: ReadView,
  subjectId: string,
  connectionId: string,
): Promise<ConnectionCheck | undefined> {
  return (await view.item(subjectId, CHECK, connectionId))?.body as unknown as ConnectionCheck | undefined;
}
