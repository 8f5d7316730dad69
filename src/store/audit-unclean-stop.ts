// The line that the audit log adds after a server or command has ended without closing its journal. If the machine lost
// power, the journal's last lines may never have reached the disk.
import { newId } from "../contract/ids.ts";
import type { AuditEntry } from "./store.ts";

export const uncleanStop = (since: number, at: number): AuditEntry => ({
  at,
  subject_id: "",
  actor: "server",
  action: "uncleanStop",
  records: 0,
  bytes: 0,
  outcome: "ok",
  may_be_missing: { since: Math.min(since, at), until: at },
  request_id: newId("request"),
});
