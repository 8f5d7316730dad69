// Links to directories in the same index. They are resolved after the walk, so that nothing is walked or counted twice.
import { dirOfLeaf } from "../index-schema.ts";
import { asBuffer, nameAt, TYPE } from "../leaf.ts";
import { decodeLeaves } from "../leaf-decode.ts";
import { type LinkToResolve, type ResolvedLink, STATE } from "../scan/messages.ts";
import type { IndexWriter } from "./index-writer.ts";
import type { Scanner } from "./scanner-process.ts";
import { pathOfDir, ROOT_ID } from "./tree.ts";

const BATCH = 500;

interface Link extends LinkToResolve {
  dir: number;
  number: number;
}

export async function followLinks(writer: IndexWriter, scanner: Scanner): Promise<void> {
  const { database, tree } = writer;
  const links = [...linksOf(writer)];
  const dirs = new Map<string, number>();
  for (let id = ROOT_ID; id < tree.next; id++)
    if (tree.state[id] === STATE.read) dirs.set(identity(tree.dev[id]!, tree.ino[id]!), id);
  database.exec("DELETE FROM followed");
  const insert = database.prepare("INSERT INTO followed VALUES (?, ?, ?)");
  for (let at = 0; at < links.length; at += BATCH) {
    const batch = links.slice(at, at + BATCH);
    const resolve = batch.map(({ path, name }) => ({ path, name }));
    const answer = await scanner.do({ resolve }, () => undefined);
    const found: (ResolvedLink | null)[] = "links" in answer ? answer.links : [];
    for (const [index, { dir, number }] of batch.entries()) {
      const target = found[index];
      const id = target && dirs.get(identity(target.dev, target.ino));
      if (id !== undefined && id !== null) insert.run(dir, number, id);
    }
  }
}

const identity = (dev: number, ino: number): string => `${dev} ${ino}`;

function* linksOf(writer: IndexWriter): Generator<Link> {
  const { database, tree } = writer;
  const statement = database.prepare("SELECT key, body FROM leaf ORDER BY key");
  for (const { key, body } of statement.iterate() as Iterable<{ key: number; body: Uint8Array }>) {
    const entries = decodeLeaves([asBuffer(body)]);
    const dir = dirOfLeaf(key);
    for (let index = entries.dirs; index < entries.count; index++) {
      if ((entries.modes[index]! & TYPE.mask) !== TYPE.link) continue;
      const name = asBuffer(nameAt(entries, index)).toString("latin1");
      yield { dir, number: entries.numbers[index]!, path: pathOfDir(tree, dir), name };
    }
  }
}
