// A parent that parses a hostile file and prints the id of the parsing process, for the test that kills the parent.
import { readFileSync } from "node:fs";
import { openParser } from "../../src/collect/parser.ts";

const [home, file, importers, sources] = process.argv.slice(2) as [string, string, string, string];
const parser = openParser({ home, given: [file], importers: { module: importers, reads: [sources] } });
const { groups } = await parser.plan({});
void parser.run({ group: groups[0]!.group, answers: {}, broken: [] }, { batch: async () => undefined });
for (;;) {
  const [child] = readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").split(" ");
  // After a second of CPU time, the child is in the middle of native code.
  const used = child ? readFileSync(`/proc/${child}/stat`, "utf8").split(" ")[13] : 0;
  if (Number(used) > 100) console.log(child);
  if (Number(used) > 100) break;
  await new Promise((resolve) => setTimeout(resolve, 50));
}
