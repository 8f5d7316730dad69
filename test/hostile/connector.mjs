// A connector whose first argument selects its behaviour: good, or one of the ways in which connectors go wrong.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

const [mode = "good", words = ""] = process.argv.slice(2);
const input = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const heard = async () => {
  const { value, done } = await input.next();
  return done ? undefined : JSON.parse(value);
};
async function say(message) {
  if (!process.stdout.write(`${JSON.stringify(message)}\n`)) await once(process.stdout, "drain");
}
const record = (id, more = {}) => ({
  type: "RECORD",
  stream: "notes",
  key: `n${id}`,
  data: { id: `n${id}`, text: `note ${id}`, at: "2024-05-01T08:00:00Z" },
  emitted_at: "2024-05-01T09:00:00Z",
  ...more,
});
const state = (at, stream = "notes") => ({ type: "STATE", stream, cursor: { at } });
const done = (records_emitted, more = {}) => ({ type: "DONE", status: "succeeded", records_emitted, ...more });
const forever = () => new Promise(() => setInterval(() => undefined, 1000));

if (mode === "hang-before-start") await forever();

const start = await heard();
if (start?.type !== "START") process.exit(9);
const { bindings, state: before, collection_mode } = start;
const settings = bindings.settings ?? {};
const count = settings.count ?? 10;
const first = collection_mode === "incremental" ? (before?.notes?.at ?? 0) : 0;

/** Asks for the password and returns the answer. */
async function password(request_id = "p1") {
  await say({
    type: "INTERACTION",
    request_id,
    kind: "credentials",
    message: "Sign in",
    schema: { properties: { password: { title: "Password" } }, required: ["password"] },
  });
  return heard();
}

async function good() {
  for (let id = first; id < first + count; id++) await say(record(id));
  await say(state(first + count));
  await say(done(count));
}

const MODES = {
  good,
  async slow() {
    for (let id = first; id < first + count; id++) {
      await say(record(id));
      await sleep(settings.pause_ms ?? 5);
    }
    await say(state(first + count));
    await say(done(count));
  },
  async told() {
    await say({ type: "PROGRESS", stream: "notes", message: "half way", count: 1, total: 2 });
    await say({ type: "SKIP_RESULT", stream: "notes", reason: "too large" });
    await say({ type: "DETAIL_COVERAGE", stream: "notes", complete: false });
    await say({ type: "DETAIL_GAP", stream: "notes", message: "2019 is missing" });
    await say({ type: "SOMETHING_NEW", text: "from the future" });
    await say({ ...record(1), colour: "from the future" });
    await say(done(1));
  },
  /** Sends the given words in every message that can contain text. */
  async says() {
    console.error(words);
    await say({ type: "PROGRESS", stream: "notes", message: words, count: 1, total: 2 });
    await say({ type: "SKIP_RESULT", stream: "notes", reason: words });
    await say({ type: "DETAIL_GAP", stream: "notes", message: words });
    await say({ type: "INTERACTION", request_id: "s1", kind: "manual_action", message: words, timeout_seconds: 600 });
    await heard();
    await say(done(0, { status: "failed", error: { message: words } }));
  },
  async deletes() {
    await say(record(1));
    await say(record(2));
    await say({ ...record(1), op: "delete", data: undefined });
    await say(done(3));
  },
  async "signs-in"() {
    const { status, data } = await password();
    console.error(`signed in: ${status}, with ${data?.password?.length} characters`);
    await say(record(1));
    await say(done(1, status === "success" ? {} : { status: "failed", error: { message: `sign-in: ${status}` } }));
  },
  /** The stored password does not work, so the connector asks again and reports what it received. */
  async "signs-in-twice"() {
    await password("p1");
    const { status, data } = await password("p2");
    await say(record(1, { data: { id: "n1", text: `${status} ${data?.password?.length ?? 0}`, at: null } }));
    await say(done(1));
  },
  async otp() {
    await say({
      type: "INTERACTION",
      request_id: "o1",
      kind: "otp",
      message: "The code from your phone",
      timeout_seconds: settings.wait ?? 60,
    });
    const { status, data } = await heard();
    console.error(`the code was ${data?.code}`);
    await say(record(1, { data: { id: "n1", text: `${status} ${String(data?.code).length}`, at: null } }));
    await say(done(1));
  },
  async fails() {
    await say(record(1));
    await say(state(1));
    await say(done(1, { status: "failed", error: { message: "the server said no" } }));
  },
  crash() {
    process.exit(3);
  },
  async "crash-midway"() {
    for (let id = 0; id < 5; id++) await say(record(id));
    await say(state(5));
    await sleep(50);
    process.exit(3);
  },
  async "killed-by-signal"() {
    await say(record(1));
    process.kill(process.pid, "SIGSEGV");
    await forever();
  },
  async "hang-silent"() {
    await say(record(1));
    await forever();
  },
  async "flood-records"() {
    for (let id = 0; ; id++) await say(record(id));
  },
  async "flood-progress"() {
    for (let id = 0; ; id++) await say({ type: "PROGRESS", message: `${id} ${"x".repeat(200)}` });
  },
  async "flood-unknown"() {
    for (let id = 0; ; id++) await say({ type: `T${id}` });
  },
  async "flood-stderr"() {
    const line = `${"x".repeat(1000)}\n`;
    for (let id = 0; id < 100_000; id++) if (!process.stderr.write(line)) await once(process.stderr, "drain");
    process.stderr.write("the last word\n");
    await good();
  },
  async "endless-line"() {
    const part = "x".repeat(65_536);
    process.stdout.write('{"type":"RECORD","stream":"notes","key":"');
    for (;;) if (!process.stdout.write(part)) await once(process.stdout, "drain");
  },
  async "lies-about-key"() {
    await say(record(1));
    await say(record(2, { key: "another" }));
    await say(state(2));
    await say(done(2));
  },
  async "lies-about-count"() {
    await say(record(1));
    await say(state(1));
    await say(done(7));
  },
  async "undeclared-stream"() {
    await say(record(1));
    await say(record(2, { stream: "secrets" }));
    await say(done(2));
  },
  async "breaks-schema"() {
    for (let id = 0; id < count; id++) await say(record(id, { data: { id: `n${id}`, text: 7 } }));
    await say(state(count));
    await say(done(count));
  },
  async "invalid-json"() {
    await say(record(1));
    await say(state(1));
    process.stdout.write("this is a log line\n");
    await say(done(1));
  },
  async "invalid-record"() {
    await say(record(1));
    process.stdout.write('{"type":"RECORD","stream":"notes",\n');
    await say(done(2));
  },
  async "no-object"() {
    process.stdout.write("[1, 2]\n");
  },
  async "never-finishes"() {
    for (let id = 0; ; id++) {
      await say({ type: "PROGRESS", message: `still at it: ${id}` });
      await sleep(50);
    }
  },
  async "ignores-sigterm"() {
    process.on("SIGTERM", () => undefined);
    await say(record(1));
    await forever();
  },
  /** Keeps running even if its output is closed. */
  async outlives() {
    process.stdout.on("error", () => undefined);
    process.on("SIGTERM", () => undefined);
    await say(record(1));
    await forever();
  },
  /** The child process keeps the output open and never exits. */
  async grandchild() {
    const script = "process.on('SIGTERM', () => undefined); setInterval(() => undefined, 1000)";
    const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "inherit", "inherit"] });
    writeFileSync(settings.pid_file, String(child.pid));
    await say(record(1));
    await say(state(1));
    await say(done(1));
    child.unref();
    process.exit(0);
  },
  async "prints-secret"() {
    const { data } = await password();
    console.error(`password=${data.password} json=${JSON.stringify({ p: data.password })}`);
    console.error(Buffer.from(data.password).toString("base64"), encodeURIComponent(data.password));
    await say({ type: "PROGRESS", message: `with ${data.password}` });
    await say({ type: "SKIP_RESULT", reason: `because of ${data.password}` });
    await say(record(1));
    await say(done(1, { status: "failed", error: { message: `wrong password ${data.password}` } }));
  },
  async "secret-in-state"() {
    const { data } = await password();
    await say({ type: "STATE", stream: "notes", cursor: { token: data.password } });
    await say(done(0));
  },
  async "asks-for-ever"() {
    for (let n = 0; ; n++) await password(`p${n}`);
  },
  async "done-twice"() {
    await say(record(1));
    await say(state(1));
    await say(done(1));
    await say(done(1));
  },
  async "record-after-done"() {
    await say(record(1));
    await say(state(1));
    await say(done(1));
    await say(record(2));
  },
  async "state-alone"() {
    await say(state(7));
    await say(done(0));
  },
  async "state-of-nothing"() {
    await say(state(7, "nothing"));
    await say(done(0));
  },
  /** The cursor of `tags` depends on the cursor of `notes`, which is never sent. */
  async "state-too-early"() {
    await say(state(7, "tags"));
    await say(done(0));
  },
  async environment() {
    await say(
      record(1, {
        data: { id: "n1", text: JSON.stringify({ env: process.env, cwd: process.cwd(), start }), at: null },
      }),
    );
    await say(done(1));
  },
  async "lives-after-done"() {
    await say(record(1));
    await say(state(1));
    await say(done(1));
    await forever();
  },
  async "unstable-keys"() {
    await say({ ...record(1), key: `n${process.pid}`, data: { id: `n${process.pid}`, text: "x", at: null } });
    await say(state(1));
    await say(done(1));
  },
};

await MODES[mode]();
// Exits only after all output has been written.
process.stderr.write("", () => process.stdout.write("", () => process.exit(0)));
