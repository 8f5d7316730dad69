// For connection-killed.test.ts: a process that syncs a root's records and reports when it has started. It exits when
// the sync ends, unless it is killed first.
import { openHome } from "../../src/engine/home.ts";
import { FilesLens } from "../../src/files/shell/lens.ts";

const [home, root] = process.argv.slice(2) as [string, string];
const host = openHome(home, { create: true, note: () => undefined });
const lens = new FilesLens({ home, host, records: "at once" });
const { rootId } = await lens.addRoot({ path: root });
await lens.files.jobEnded((await lens.files.index({ rootId })).jobId);
const job = await lens.syncRecords(rootId);
process.stdout.write("begun\n");
const { status, error } = await lens.files.jobEnded(job!.jobId);
await lens.close();
await host.close();
if (status !== "succeeded") throw new Error(`the sync ${status}: ${error}`);
