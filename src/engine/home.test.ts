// A home opened by a command.
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { FILES } from "../store/sqlite/sqlite-store.ts";
import { openHome } from "./home.ts";

it("SECURITY row 20 files that a command adds to an existing home are private too, whatever the umask is", async () => {
  const home = mkdtempSync(join(tmpdir(), "pdpp-home-"));
  const note = (): void => undefined;
  await openHome(home, { create: true, note }).close();
  rmSync(join(home, FILES.projections), { force: true });
  process.umask(0o022);
  const host = openHome(home, { note });
  await host.call("search", { q: "x" }, { home: true });
  await host.close();
  expect(statSync(join(home, FILES.projections)).mode & 0o777).toBe(0o600);
  rmSync(home, { recursive: true, force: true });
});
