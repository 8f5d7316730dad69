// Tests `pdpp service logs` on machines with and without a journal, with a stand-in for journalctl.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { CommandContext } from "../command.ts";
import { service } from "./service.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pdpp-service-"));
  mkdirSync(join(folder, ".config/systemd/user"), { recursive: true });
  writeFileSync(join(folder, ".config/systemd/user/postern.service"), "");
  vi.stubEnv("HOME", folder);
  vi.stubEnv("PATH", `${folder}:${process.env.PATH}`);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

function logs(script: string): ReturnType<typeof service.run> {
  writeFileSync(join(folder, "journalctl"), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, "journalctl"), 0o755);
  const context: Partial<CommandContext> = { values: {}, positionals: ["logs"], json: false, home: folder };
  return service.run(context as CommandContext);
}

describe.skipIf(process.platform !== "linux")("O-02 pdpp service logs", () => {
  it("O-02 fails and says what to do if the machine keeps no journal", async () => {
    const run = logs('echo "No journal files were found." >&2; echo "-- No entries --"');
    await expect(run).rejects.toMatchObject({
      code: "not_found",
      message: "this machine keeps no journal, so the log of postern is not stored",
      details: { next_step: expect.stringContaining("Storage=persistent") },
    });
  });

  it("O-02 fails if the journal has no entries for the service", async () => {
    await expect(logs('echo "-- No entries --"')).rejects.toMatchObject({
      message: "the journal has no entries for postern",
      details: { next_step: expect.stringContaining("pdpp service status") },
    });
  });

  it("O-02 shows the entries, and passes on the exit code of journalctl", async () => {
    expect(await logs('echo "Nov 18 12:00:00 postern: ready"')).toBe(0);
    expect(await logs("exit 3")).toBe(3);
  });
});
