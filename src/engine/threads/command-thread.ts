// What runs in the thread of a command that brings much in: the engine as every command has it, fed by messages.
import { parentPort, workerData } from "node:worker_threads";
import { type ErrorBody, errorBody, failureText, PdppError } from "../../contract/errors.ts";
import { openStore, type Place } from "../../store/place.ts";
import type { Call } from "../engine.ts";
import { newRequestId } from "../host.ts";
import { LOG_PAGES, localHost } from "../local-host.ts";

export interface CommandData {
  place: Place;
  persist: boolean;
}

export type ToCommandThread = { id: number } & ({ call: Call } | { close: true });
export type FromCommandThread = { id: number; reply: { body: string } | { error: ErrorBody } } | { failure: string };

const port = parentPort!;
const { place, persist } = workerData as CommandData;
const host = localHost(await openStore(place, { logPages: LOG_PAGES, mappedBytes: 0, alone: persist }), {
  home: place.home,
  objects: place.objects,
  persist,
  onFailure: (error) => say({ failure: failureText(error) }),
});

port.on("message", async (message: ToCommandThread) => {
  const { id } = message;
  try {
    say({ id, reply: { body: await ("close" in message ? close() : answer(message.call)) } });
  } catch (error) {
    const known = error instanceof PdppError ? error : new PdppError("api_error", (error as Error).message);
    say({ id, reply: { error: errorBody(known, "call" in message ? message.call.requestId : newRequestId()) } });
  }
  if ("close" in message) port.close();
});

const answer = ({ method, query, credential, requestId }: Call): Promise<string> =>
  host.call(method, query as never, credential, requestId);

async function close(): Promise<string> {
  await host.close();
  return "";
}

function say(message: FromCommandThread): void {
  port.postMessage(message);
}
