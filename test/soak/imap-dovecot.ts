// npm run soak -- imap-dovecot [MESSAGES]: the IMAP connector against a real Dovecot on loopback: first sync, new,
// deleted and moved mail, and a changed UIDVALIDITY. After each step the number of records equals doveadm's count.
// Needs dovecot-imapd, and root, as Dovecot itself does.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { drive, newKept, ofType } from "../../src/connectors/imap/drive.fixture.ts";
import { mail } from "../../src/connectors/imap/mailbox.fixture.ts";

const messages = Number(process.argv[2] ?? 2000);
const USER = "anna";
const PASSWORD = "app-password-of-anna";

let version: string;
try {
  version = execFileSync("dovecot", ["--version"], { stdio: ["ignore", "pipe", "ignore"] })
    .toString()
    .split(" ")[0]!;
} catch {
  console.error("Dovecot is not installed. Debian: apt install dovecot-imapd.");
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), "pdpp-dovecot-"));
chmodSync(folder, 0o755);
const [uid, gid] = ["-u", "-g"].map((flag) => Number(execFileSync("id", [flag, "dovecot"]).toString()));
const mails = join(folder, "mail");
mkdirSync(mails);
chownSync(mails, uid!, gid!);
const port = await freePort();
const config = join(folder, "dovecot.conf");
writeFileSync(
  config,
  [
    `base_dir = ${join(folder, "run")}`,
    "protocols = imap",
    "listen = 127.0.0.1",
    "ssl = no",
    "disable_plaintext_auth = no",
    `log_path = ${join(folder, "log")}`,
    `mail_location = maildir:${mails}/%u`,
    `mail_uid = ${uid}`,
    `mail_gid = ${gid}`,
    "first_valid_uid = 1",
    "first_valid_gid = 1",
    "default_internal_user = dovecot",
    "default_login_user = dovenull",
    `passdb {\n  driver = static\n  args = password=${PASSWORD}\n}`,
    `userdb {\n  driver = static\n  args = uid=${uid} gid=${gid} home=${mails}/%u\n}`,
    `service imap-login {\n  inet_listener imap {\n    port = ${port}\n  }\n  inet_listener imaps {\n    port = 0\n  }\n}`,
    "service stats {\n  client_limit = 1000\n}",
    "namespace inbox {\n  inbox = yes\n  mailbox Trash {\n    special_use = \\Trash\n    auto = create\n  }\n  mailbox Archive {\n    auto = create\n  }\n}",
    "",
  ].join("\n"),
);
const child = spawn("dovecot", ["-F", "-c", config], { stdio: "inherit" });

const doveadm = (...args: string[]): string =>
  execFileSync("doveadm", ["-c", config, ...args], { stdio: ["ignore", "pipe", "inherit"] }).toString();
const save = (text: string, into = "INBOX"): void =>
  void execFileSync("doveadm", ["-c", config, "save", "-u", USER, "-m", into], { input: text });
/** Counts all folders except trash, which the connector skips. */
const counted = (): number =>
  doveadm("mailbox", "status", "-u", USER, "-t", "messages", "INBOX", "Archive")
    .match(/\d+/g)!
    .map(Number)
    .reduce((sum, one) => sum + one, 0);

const kept = newKept();
async function step(name: string, expected: Partial<Record<"written" | "deleted", number>>): Promise<void> {
  const begun = performance.now();
  const run = await drive({
    settings: { host: "127.0.0.1", port, security: "none", user: USER },
    secret: { password: PASSWORD },
    kept,
    asProcess: true,
  });
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  const records = ofType(run, "RECORD");
  const deleted = records.filter(({ op }) => op === "delete").length;
  const found = { written: records.length - deleted, deleted };
  const inDovecot = counted();
  console.log(
    `${name}: ${found.written} written, ${found.deleted} deleted, ${seconds} s; here ${kept.records.size}, doveadm ${inDovecot}`,
  );
  if (run.done?.status !== "succeeded") throw new Error(JSON.stringify(run.done));
  if (kept.records.size !== inDovecot) throw new Error(`${name}: the numbers differ`);
  for (const [what, count] of Object.entries(expected))
    if (found[what as keyof typeof found] !== count) throw new Error(`${name}: expected ${count} ${what}`);
}

try {
  await answering();
  for (let number = 0; number < messages; number++)
    save(mail(`${number}@example.com`), number % 4 === 0 ? "Archive" : "INBOX");
  console.log(`Dovecot ${version}, ${messages} messages`);
  await step("first sync", { written: messages, deleted: 0 });
  await step("nothing new", { written: 0, deleted: 0 });
  for (const name of ["new-1", "new-2", "new-3"]) save(mail(`${name}@example.com`));
  await step("new mail", { written: 3, deleted: 0 });
  doveadm("expunge", "-u", USER, "mailbox", "INBOX", "header", "message-id", "<1@example.com>");
  doveadm("move", "-u", USER, "Trash", "mailbox", "INBOX", "header", "message-id", "<2@example.com>");
  await step("deleted mail, and mail moved to the trash", { written: 0, deleted: 2 });
  doveadm("move", "-u", USER, "Archive", "mailbox", "INBOX", "header", "message-id", "<3@example.com>");
  await step("moved mail", { written: 1, deleted: 0 });
  const moved = [...kept.records.values()].find(({ message_id }) => message_id === "3@example.com");
  if (JSON.stringify(moved?.labels) !== '["Archive"]') throw new Error(`moved mail: ${JSON.stringify(moved?.labels)}`);
  doveadm("mailbox", "update", "-u", USER, "--uid-validity", "987654321", "INBOX");
  save(mail("after@example.com"));
  await step("changed UIDVALIDITY", { deleted: 0 });
  await step("nothing new after it", { written: 0, deleted: 0 });
} finally {
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
  rmSync(folder, { recursive: true, force: true });
}

async function answering(): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    const socket = connect(port, "127.0.0.1");
    const open = await Promise.race([
      once(socket, "data").then(() => true),
      once(socket, "error").then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (open) return;
    await wait(100);
  }
  throw new Error("Dovecot did not start");
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port: free } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return free;
}
