// The entry point of each server thread: the homes that it serves, and their calls.
import { workerData } from "node:worker_threads";
import { failureText } from "../../contract/errors.ts";
import type { HomeLocation } from "../../store/place.ts";
import type { Lane } from "../calls/define.ts";
import type { Call, Reply } from "../engine.ts";
import { HomeWorker } from "./home-worker.ts";
import { answerCalls } from "./thread-calls.ts";
import { lowerThreadPriority } from "./thread-priority.ts";

export interface ThreadData {
  lane: Lane;
  columnsBudgetBytes?: number;
  searchBudgetBytes?: number;
  cacheMegabytes?: number;
}

/** The reply to `forget` is sent when the home is closed. */
export type EngineRequest = { home: number; call: Call } | { forget: number };
export type EngineNews = { open: number; place: HomeLocation } | { home: number; changed: number };
/** For the server's log. */
export interface EngineFailure {
  failure: string;
}

const { lane, ...budgets } = workerData as ThreadData;
// The writer keeps its priority, because it executes revocations.
if (lane !== "rows" && lane !== "writer") lowerThreadPriority();
const workers = new Map<number, HomeWorker>();
const onFailure = (error: unknown): void => thread.tell({ failure: failureText(error) });

const thread = answerCalls<EngineRequest, Reply | undefined, EngineNews, EngineFailure>({
  onCalls(calls) {
    for (const [id, request] of calls) {
      if ("call" in request) workers.get(request.home)!.ask([{ id, call: request.call }]);
      else void forget(request.forget).then(() => thread.reply([[id, undefined]]));
    }
  },
  onNews(news) {
    if ("open" in news) workers.set(news.open, workerFor(news.place));
    else workers.get(news.home)!.changed(news.changed);
  },
  async onClose() {
    await Promise.all([...workers.keys()].map(forget));
  },
});

const workerFor = (place: HomeLocation): HomeWorker =>
  new HomeWorker({ place, lane, ...budgets, listen: thread.listen, reply: thread.reply, onFailure });

async function forget(home: number): Promise<void> {
  const worker = workers.get(home);
  workers.delete(home);
  await worker?.close().catch(onFailure);
}
