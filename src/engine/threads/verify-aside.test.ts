// T-07: verifying the audit log does not delay other calls.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { ActivityVerificationProgress } from "../../contract/activity.ts";
import { FILES, openAuditLog, prepareHome } from "../../store/sqlite/sqlite-store.ts";
import type { AuditEntry } from "../../store/store.ts";
import type { EngineHost } from "../host.ts";
import { threadedHost } from "./threaded-host.ts";

const OWNER = { home: true } as const;
let home: string;
let host: EngineHost;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "postern-verify-"));
  prepareHome(home);
  host = threadedHost({ place: { home }, onFailure: () => {} });
});
afterEach(async () => {
  await host.close();
  rmSync(home, { recursive: true, force: true });
});

it("T-07 scanning calls return while the log is being verified", async () => {
  // The threads have journals by now.
  await host.call("streams", {}, OWNER);
  await host.call("connections", {}, OWNER);
  const order: string[] = [];
  const log = new DatabaseSync(join(home, FILES.audit));
  // The check first collects pending entries, which it cannot do while another connection writes. So it runs until this
  // transaction ends.
  log.exec("BEGIN IMMEDIATE");
  const verified = host.call("verifyActivity", {}, OWNER).finally(() => order.push("verified"));
  for (const method of ["streams", "connections"] as const) {
    await host.call(method, {}, OWNER);
    order.push(method);
  }
  log.exec("ROLLBACK");
  log.close();
  expect(await verified).toMatchObject({ intact: true });
  expect(order).toEqual(["streams", "connections", "verified"]);
});

it("T-07 reports the progress of a verification while it runs", async () => {
  const log = openAuditLog(home);
  const entries = Array.from(
    { length: 20_000 },
    (_, n): AuditEntry => ({
      ...{ at: n + 1, subject_id: "s", actor: "owner", action: "record", records: 1, bytes: 9, outcome: "ok" },
      request_id: `req_${n}`,
    }),
  );
  await log.append(entries);
  await log.gather();
  log.close();
  expect(await host.call("activityVerificationProgress", {}, OWNER)).toMatchObject({ running: false });
  let isVerified = false;
  const verified = host.call("verifyActivity", {}, OWNER).finally(() => {
    isVerified = true;
  });
  const seen: ActivityVerificationProgress[] = [];
  while (!isVerified) seen.push(await host.call("activityVerificationProgress", {}, OWNER));
  expect(await verified).toMatchObject({ intact: true });
  expect(seen.some(({ running, entries: checked, of }) => running && checked > 0 && checked < of)).toBe(true);
  expect(await host.call("activityVerificationProgress", {}, OWNER)).toMatchObject({ running: false });
});
