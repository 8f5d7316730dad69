// What runs inside each of the server's threads: an engine over its own connection to the home, fed by messages.
import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { failureText } from "../../contract/errors.ts";
import { openStore, type Place } from "../../store/place.ts";
import { type Call, Engine, type Reply } from "../engine.ts";
import { buildEngine } from "../local-host.ts";
import type { Lane } from "./lanes.ts";

export interface ThreadData {
  place: Place;
  lane: Lane;
  columnsBudgetBytes?: number;
}

export interface Asked {
  id: number;
  call: Call;
}

export type ToThread = { calls: Asked[] } | { changed: number } | { close: true };
export type FromThread = { replies: [id: number, reply: Reply][] } | { failure: string } | { closed: true };

/** Reads that share a snapshot and an audit commit. A scan shares with nobody: others would wait for it. */
const BATCH = { rows: 32, columns: 1, search: 1, writer: 64 } as const;
const FOLD_ROWS = 2000;
const IDLE_FLUSH_MS = 1000;

const port = parentPort!;
const { place, lane, columnsBudgetBytes } = workerData as ThreadData;
const { home, objects } = place;
const store = await openStore(place);
const onFailure = (error: unknown): void => send({ failure: failureText(error) });
const engine =
  lane === "columns" || lane === "search"
    ? buildEngine(store, { home, objects, persist: true, keeps: { [lane]: true }, columnsBudgetBytes, onFailure })
    : new Engine({ home, objects, store, now: Date.now, onFailure });

const queue: Asked[] = [];
const news = new Set<number>();
let closing = false;
let running = false;
let idle: NodeJS.Timeout | undefined;

port.on("message", (message: ToThread) => {
  take(message);
  if (!running) void run();
});

function take(message: ToThread): void {
  if ("calls" in message) queue.push(...message.calls);
  else if ("changed" in message) news.add(message.changed);
  else closing = true;
}

async function run(): Promise<void> {
  running = true;
  clearTimeout(idle);
  for (;;) {
    for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port)) take(next.message as ToThread);
    if (queue.length > 0) await answer(queue.splice(0, BATCH[lane]));
    else if (closing) return close();
    else if (news.size > 0) await fold();
    else break;
  }
  running = false;
  if (lane === "columns" || lane === "search")
    idle = setTimeout(() => void engine.flush().catch(onFailure), IDLE_FLUSH_MS).unref();
}

async function answer(batch: Asked[]): Promise<void> {
  const calls = batch.map(({ call }) => call);
  // Writes that start in one turn share one commit.
  const replies =
    lane === "writer" ? await Promise.all(calls.map((call) => engine.write(call))) : await engine.read(calls);
  send({ replies: batch.map(({ id }, index) => [id, replies[index]!]) });
}

/** One slice of one stream, then whoever waits gets a turn. */
async function fold(): Promise<void> {
  const [streamNo] = news;
  news.delete(streamNo!);
  try {
    if (await engine.catchUp(streamNo!, FOLD_ROWS)) news.add(streamNo!);
  } catch (error) {
    onFailure(error);
  }
}

async function close(): Promise<void> {
  await engine.flush().catch(onFailure);
  await store.close();
  send({ closed: true });
  port.close();
}

function send(message: FromThread): void {
  port.postMessage(message);
}
