// Reports from a worker thread what every importer reads, because loading all importers would block the thread that
// serves requests for too long.
import { parentPort } from "node:worker_threads";
import { IMPORTERS } from "./importers/index.ts";

parentPort!.postMessage(IMPORTERS.map(({ name, title, from }) => ({ name, title, from })));
