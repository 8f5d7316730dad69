// The thread for a command with large imports. It runs the same engine as every command.
import { workerData } from "node:worker_threads";
import { failureText, PdppError } from "../../contract/errors.ts";
import { type HomeLocation, openStore } from "../../store/place.ts";
import type { Call } from "../engine.ts";
import { LOG_PAGES, localHost } from "../local-host.ts";
import type { EngineFailure } from "./thread.ts";
import { answerCalls } from "./thread-calls.ts";

export interface CommandData {
  place: HomeLocation;
  persist: boolean;
}

const { place, persist } = workerData as CommandData;
const host = localHost(await openStore(place, { logPages: LOG_PAGES, alone: persist }), {
  home: place.home,
  objects: place.objects,
  persist,
  onFailure: (error) => thread.tell({ failure: failureText(error) }),
});

const thread = answerCalls<Call, string, never, EngineFailure>({
  async answer({ name, query, credential, requestId }) {
    try {
      return await host.callText(name, query as never, credential, requestId);
    } catch (error) {
      throw error instanceof PdppError ? error : new PdppError("api_error", (error as Error).message);
    }
  },
  onClose: () => host.close(),
});
