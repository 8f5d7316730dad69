// Reports what every importer reads, from a thread: loading all of them takes too long for the thread that serves
// requests.
import { parentPort } from "node:worker_threads";
import { IMPORTERS } from "./importers/index.ts";

parentPort!.postMessage(IMPORTERS.map(({ name, title, from }) => ({ name, title, from })));
