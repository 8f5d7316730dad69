// For file-crashes.ts: a process that indexes a root and reports when the job exists. It exits when the job
// ends, unless it is killed first.
import { openFiles } from "../../src/files/files.ts";

const [home, root, mode] = process.argv.slice(2);
const files = openFiles({ home: home!, commitMs: 5 });
const { rootId } = await files.addRoot({ path: root! });
const { jobId } = await files.index({ rootId, verify: mode === "verify" });
process.stdout.write(`${jobId}\n`);
await files.jobEnded(jobId);
await files.close();
