// A failing disk under an index fails one call and does not end the process.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "postern-index-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Truncates the file while a reader uses it. With memory mapping, this raises SIGBUS, just as an I/O error would. */
const PROGRAM = `
import { statSync, truncateSync } from "node:fs";
import { openIndex } from ${JSON.stringify(new URL("./index-schema.ts", import.meta.url).href)};
const path = process.argv[1];
const writer = openIndex(path, { write: true });
const insert = writer.prepare("INSERT INTO leaf VALUES (?, ?)");
writer.exec("BEGIN");
for (let key = 0; key < 6000; key++) insert.run(key, new Uint8Array(4000).fill(key));
writer.exec("COMMIT");
writer.exec("PRAGMA wal_checkpoint(TRUNCATE)");
const reader = openIndex(path);
const sum = reader.prepare("SELECT sum(hex(body) <> '') AS sum FROM leaf");
console.log(sum.get().sum);
truncateSync(path, statSync(path).size / 2);
try {
  sum.get();
} catch (error) {
  console.log(error.code);
}
`;

it("T-06 a call on an index whose pages cannot be read fails, and the process continues", () => {
  const { stdout, signal } = spawnSync(
    process.execPath,
    ["--input-type=module", "-e", PROGRAM, join(folder, "index.db")],
    { encoding: "utf8" },
  );
  expect({ said: stdout.trim().split("\n"), signal }).toEqual({ said: ["6000", "ERR_SQLITE_ERROR"], signal: null });
});
