// For audit-cuts.test.ts: a process that writes to a home's audit log, reports that it has, and waits to be killed.
import { openAuditLog } from "../../src/store/sqlite/sqlite-store.ts";
import type { AuditEntry } from "../../src/store/store.ts";

const [home, ...steps] = process.argv.slice(2);
const log = openAuditLog(home!);
const entry = (request_id: string): AuditEntry => ({
  at: Date.now(),
  subject_id: "s",
  actor: "owner",
  action: "record",
  records: 1,
  bytes: 9,
  outcome: "ok",
  request_id,
});
for (const step of steps) {
  if (step === "sync") log.sync();
  else log.append([entry(step)]);
}
process.stdout.write("written\n");
setInterval(() => undefined, 60_000);
