// npm run soak -- files-walk [NODES]: the walk of test/files/walk.ts over a tree that is made for it, a million nodes by default.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { shellClient } from "../files/shell-client.ts";
import { walkTree } from "../files/walk.ts";
import { testServer } from "../harness.ts";

const FILES_PER_DIR = 90;
const DIRS_PER_DIR = 10;

const nodes = Number(process.argv[2] ?? 1_000_000);
const tree = realpathSync(mkdtempSync(join(tmpdir(), "pdpp-files-walk-")));
const server = await testServer();
try {
  console.log(`${plant(tree, nodes)} nodes`);
  await (await server.files()).addRoot({ path: tree });
  const { access_token } = await server.grant({ files: { roots: [tree] }, client_name: "Walker" });
  const { steps, links } = await walkTree(shellClient(server.url, access_token), tree);
  console.log(`${steps} steps, ${links.size} links: every number is that of find, stat and sha256sum`);
} finally {
  await server.close();
  rmSync(tree, { recursive: true, force: true });
}

/** Level by level; every hundredth file is large, and one in a thousand is a copy. */
function plant(root: string, wanted: number): number {
  const open = [root];
  let made = 0;
  for (let dir = open.shift(); dir !== undefined && made < wanted; dir = open.shift()) {
    for (let n = 0; n < DIRS_PER_DIR; n++) {
      const inner = join(dir, `folder-${n}`);
      mkdirSync(inner);
      open.push(inner);
    }
    for (let n = 0; n < FILES_PER_DIR; n++) {
      const name = n === 0 ? "package.json" : n % 9 === 0 ? `data-${n}.json` : `part-${n}.txt`;
      writeFileSync(join(dir, name), contentOf(made + n));
    }
    made += DIRS_PER_DIR + FILES_PER_DIR;
  }
  return made;
}

function contentOf(n: number): string {
  if (n % 1000 === 0) return "the same ".repeat(3000);
  return n % 100 === 1 ? `${n} `.repeat(5000) : `${n}`;
}
