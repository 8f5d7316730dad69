// docs/build/connectors.md: the connector in the docs passes the conformance kit, and the docs show the kit's actual
// output.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { testConnector } from "../../src/collect/connectors/conformance.ts";
import { locateConnector } from "../../src/collect/connectors/manifest-file.ts";

const folder = mkdtempSync(join(tmpdir(), "pdpp-diary-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("P-05 the connector in the docs passes, and the kit's checks are exactly those that the docs show", async () => {
  const page = readFileSync(new URL("../../docs/build/connectors.md", import.meta.url), "utf8");
  const block = (kind: string): string => new RegExp(`\`\`\`${kind}\n([\\s\\S]*?)\`\`\``).exec(page)![1]!;
  const diary = join(folder, "diary");
  mkdirSync(diary);
  writeFileSync(join(diary, "connector.json"), block("json"));
  writeFileSync(join(diary, "diary.mjs"), block("js"));
  writeFileSync(join(folder, "diary.txt"), "Got up\nRain\nRead until late\n");
  const connector = await locateConnector(diary);
  const checks = await testConnector({ connector, settings: { file: join(folder, "diary.txt") }, secrets: {} });
  const printed = [...page.matchAll(/^(pass|skip) {2}(.+?) {2,}(.+)$/gm)].map(([, status, name, reason]) => ({
    name,
    status,
    reason,
  }));
  expect(checks).toEqual(printed);
});
