// Says what every importer reads, from a thread: all of them together take too long to load beside requests.
import { parentPort } from "node:worker_threads";
import { IMPORTERS } from "./importers/index.ts";

parentPort!.postMessage(IMPORTERS.map(({ name, title, from }) => ({ name, title, from })));
