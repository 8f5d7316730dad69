// The IMAP connector: reads a mailbox and tells it as records, in JSON lines on stdout. `pdpp connectors run` starts it.
import { connect } from "./connect.ts";

const stop = new AbortController();
for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => stop.abort());
// A runner that is gone needs no more records.
process.stdout.on("error", () => process.exit(1));
await connect(process.stdin, process.stdout, stop.signal);
// A connection that does not close keeps nobody.
process.exit(0);
