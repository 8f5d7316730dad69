// Reports from a worker thread what every importer reads. In the thread that serves requests, loading all importers
// would block requests for too long.
import { parentPort } from "node:worker_threads";
import { IMPORTERS } from "./importers/index.ts";

parentPort!.postMessage(IMPORTERS.map(({ name, title, from }) => ({ name, title, from })));
