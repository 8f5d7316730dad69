// npm run soak -- files-walk [NODES] [FROM]: the walk of test/files/walk.ts over copies of a real tree, by default a
// million nodes of /usr.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { shellClient } from "../files/shell-client.ts";
import { walkTree } from "../files/walk.ts";
import { testServer } from "../harness.ts";

/** Larger files would make the tree larger, but not the walk harder. */
const LARGEST_KB = 24;
/** Uses memory if possible, because writing a million files to a disk takes longer than the walk. */
const MEMORY = "/dev/shm";

const [nodes = "1000000", from = "/usr"] = process.argv.slice(2);
const tree = realpathSync(mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), "pdpp-files-walk-")));
const server = await testServer();
try {
  part("copy");
  console.log(`${copies(tree, Number(nodes))} nodes`);
  await (await server.files()).addRoot({ path: tree });
  const { access_token } = await server.grant({ files: { roots: [tree] }, client_name: "Walker" });
  const { steps, links } = await walkTree(shellClient(server.url, access_token), tree, part);
  part("end");
  console.log(`${steps} steps, ${links.size} links: every number matches find, stat and sha256sum`);
} finally {
  await server.close();
  rmSync(tree, { recursive: true, force: true });
}

/**
 * Makes copies of the tree next to each other until there are enough nodes. Links stay links, but a file with two names becomes two
 * files.
 */
function copies(root: string, wanted: number): number {
  const first = join(root, "copy-1");
  mkdirSync(first);
  const small = `cd "$1" && find . \\( -type d -o -type l -o -type f -size -${LARGEST_KB}k \\) -print0`;
  const copy = `${small} | tar --hard-dereference --no-recursion --null -T - -c | tar -x -C "$2"`;
  execFileSync("bash", ["-c", copy, "bash", from, first]);
  const each = Number(execFileSync("bash", ["-c", 'find "$1" | wc -l', "bash", first]));
  const count = Math.ceil(wanted / each);
  for (let no = 2; no <= count; no++)
    execFileSync("cp", ["-dr", "--preserve=mode,timestamps", first, join(root, `copy-${no}`)]);
  return count * each;
}

function part(name: string): void {
  console.log(
    `${Math.round(performance.now() / 1000)
      .toString()
      .padStart(5)} s  ${name}`,
  );
}
