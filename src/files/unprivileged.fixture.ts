// Test helper: indexes a root as a user who cannot read everything, and prints the result.
import { openFiles } from "./files.ts";

const [home, root, user] = process.argv.slice(2);
if (process.getuid!() === 0) {
  process.setgroups!([Number(user)]);
  process.setgid!(Number(user));
  process.setuid!(Number(user));
}
const files = openFiles({ home: home! });
const { rootId } = await files.addRoot({ path: root! });
const { indexId } = await files.jobEnded((await files.index({ rootId })).jobId);
const node = await files.nodeAt(indexId, "closed");
const { problems } = await files.problems(indexId);
const { totals } = await files.indexInfo(indexId);
await files.close();
console.log(JSON.stringify({ node, problems, totals }));
