// What runs inside each of the server's threads: the homes that it serves, fed by messages.
import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { failureText } from "../../contract/errors.ts";
import type { Place } from "../../store/place.ts";
import type { Reply } from "../engine.ts";
import { type Asked, HomeWorker } from "./home-worker.ts";
import type { Lane } from "./lanes.ts";

export interface ThreadData {
  lane: Lane;
  columnsBudgetBytes?: number;
  searchBudgetBytes?: number;
}

/** Homes are numbered by whoever opens them. */
export type ToThread =
  | { open: number; place: Place }
  | { home: number; calls: Asked[] }
  | { home: number; changed: number }
  | { forget: number }
  | { close: true };
export type FromThread = { replies: [id: number, reply: Reply][] } | { failure: string } | { forgotten: number };

const port = parentPort!;
const { lane, ...budgets } = workerData as ThreadData;
const workers = new Map<number, HomeWorker>();
const onFailure = (error: unknown): void => send({ failure: failureText(error) });

port.on("message", take);

function take(message: ToThread): void {
  if ("open" in message) workers.set(message.open, workerFor(message.place));
  else if ("calls" in message) workers.get(message.home)!.ask(message.calls);
  else if ("changed" in message) workers.get(message.home)!.changed(message.changed);
  else if ("forget" in message) void forget(message.forget);
  else void close();
}

const workerFor = (place: Place): HomeWorker =>
  new HomeWorker({ place, lane, ...budgets, listen, reply: (replies) => send({ replies }), onFailure });

function listen(): void {
  for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port)) take(next.message as ToThread);
}

async function forget(home: number): Promise<void> {
  const worker = workers.get(home);
  workers.delete(home);
  await worker?.close().catch(onFailure);
  send({ forgotten: home });
}

async function close(): Promise<void> {
  await Promise.all([...workers.keys()].map(forget));
  port.close();
}

function send(message: FromThread): void {
  port.postMessage(message);
}
