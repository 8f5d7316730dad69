// W-04: the documents' commands that serve: with a home and a port of the test, each becomes ready.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { shellWords } from "../../src/surfaces/cli/shell-words.fixture.ts";
import { newHome } from "../harness.ts";
import { serve } from "../pdpp.ts";
import { blocksOf, documentPaths, ROOT } from "./blocks.ts";

const commands = documentPaths().flatMap((path) =>
  blocksOf(path)
    .filter(({ notRun }) => notRun?.includes("`test/documents/serving.test.ts`"))
    .flatMap((block) => block.commands.map(({ text }) => ({ path, text }))),
);

/** Files and variables that the documents leave to the reader. */
const GIVEN: Record<string, string> = {
  "fullchain.pem": join(ROOT, "test/certificates/example-test.pem"),
  "privkey.pem": join(ROOT, "test/certificates/example-test.key.pem"),
  "PDPP_METRICS_TOKEN=$TOKEN": "PDPP_METRICS_TOKEN=a-token-of-the-test",
};

// They have --public-url, --bind, --tls-cert, --tls-key, --log and --metrics.
it("W-04 the commands that serve over TLS and with metrics are here", () => {
  expect(commands.map(({ path }) => path)).toEqual(["docs/run/install.md", "docs/run/operating.md"]);
});

it.each(commands)("W-04 $path: $text", async ({ text }) => {
  const words = shellWords(text).map((word) => GIVEN[word] ?? word);
  const at = words.indexOf("pdpp");
  const env = Object.fromEntries(words.slice(0, at).map((word) => word.split("=") as [string, string]));
  const home = newHome();
  const server = await serve(home, words.slice(at + 2), env);
  expect(new URL(server.url).protocol).toBe(words.includes("--tls-cert") ? "https:" : "http:");
  await server.stop("SIGTERM", "SIGTERM");
  rmSync(home, { recursive: true, force: true });
});
