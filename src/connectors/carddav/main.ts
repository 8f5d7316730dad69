// The CardDAV connector: reads address books and writes them as records, in JSON lines on stdout. `pdpp connectors run`
// starts it.
import { runAsProgram } from "../common/run.ts";
import { connectDav } from "../dav/connect.ts";
import { carddav } from "./kind.ts";

await runAsProgram((input, output, stop) => connectDav(carddav, input, output, stop));
