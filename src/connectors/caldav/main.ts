// The CalDAV connector: reads calendars and writes them as records, in JSON lines on stdout. `pdpp connectors run`
// starts it.
import { runAsProgram } from "../common/run.ts";
import { connectDav } from "../dav/connect.ts";
import { caldav } from "./kind.ts";

await runAsProgram((input, output, stop) => connectDav(caldav, input, output, stop));
