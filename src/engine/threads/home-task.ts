// A task that reads a whole home. It runs in its own thread, which ends with it, so the event loop never waits for
// SQLite.
import { parentPort, workerData } from "node:worker_threads";
import { type ErrorBody, errorBody, PdppError } from "../../contract/errors.ts";
import type { HomeLocation } from "../../store/place.ts";
import { type DoctorReport, examine } from "../doctor.ts";
import { examineDatabase } from "../doctor-database.ts";
import { homeObjects } from "../objects-place.ts";
import { lowerThreadPriority } from "./thread-priority.ts";

export interface HomeTasks {
  examine: DoctorReport;
}

export type HomeTaskName = keyof HomeTasks;
export type FromHomeTask = { done: HomeTasks[HomeTaskName] } | { error: ErrorBody; trace?: string };

const { place, task } = workerData as { place: HomeLocation; task: HomeTaskName };
const { home, database, objects } = place;
lowerThreadPriority();
const say = (message: FromHomeTask): void => parentPort!.postMessage(message);

const RUN: { [C in HomeTaskName]: () => Promise<HomeTasks[C]> } = {
  examine: () =>
    database === undefined
      ? examine({ home, objects, deep: false })
      : examineDatabase({
          home,
          url: database.url,
          owner: database.subject,
          objectsFor: () => objects ?? homeObjects(home),
          deep: false,
        }),
};

try {
  say({ done: await RUN[task]() });
} catch (error) {
  if (error instanceof PdppError) say({ error: errorBody(error, "") });
  else {
    const failure = new PdppError("api_error", "something went wrong; the server's log has details");
    say({ error: errorBody(failure, ""), trace: (error as Error).stack });
  }
}
