// An owner's answers on their way to the process that runs the connector. They are sealed, and deleted once read.
import type { z } from "zod";
import type { answerLeft, answersWanted } from "../../contract/collect-request.ts";
import { openSecrets, sealSecrets } from "../../core/sealed-secrets.ts";
import type { WriteContext } from "../calls/define.ts";

const KIND = "collect_answer";

interface Left {
  request_id: string;
  /** Null if the owner declined to answer. */
  sealed: string | null;
}

export interface TakenAnswer {
  id: string;
  request_id: string;
  values?: Record<string, string>;
}

export async function leaveAnswer(
  { view, caller, key, now }: WriteContext,
  { id, request_id, values }: z.infer<typeof answerLeft>,
) {
  const body = { request_id, sealed: values === undefined ? null : sealSecrets(key, id, values) } satisfies Left;
  await view.putItem(caller.subjectId, { kind: KIND, id, holder: null, createdAt: now, dueAt: null, body });
  return {};
}

export async function takeAnswers(
  { view, caller, key }: WriteContext,
  { ids }: z.infer<typeof answersWanted>,
): Promise<TakenAnswer[]> {
  const taken: TakenAnswer[] = [];
  for (const id of ids) {
    const item = await view.item(caller.subjectId, KIND, id);
    if (item === undefined) continue;
    const { request_id, sealed } = item.body as unknown as Left;
    const values = sealed === null ? undefined : openSecrets(key, id, sealed);
    taken.push({ id, request_id, ...(values === undefined ? {} : { values }) });
    await view.deleteItem(caller.subjectId, KIND, id);
  }
  return taken;
}
