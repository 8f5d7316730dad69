// The IMAP connector: reads a mailbox and writes it as records, in JSON lines on stdout. `pdpp connectors run` starts
// it.
import { runAsProgram } from "../common/run.ts";
import { connect } from "./connect.ts";

await runAsProgram(connect);
