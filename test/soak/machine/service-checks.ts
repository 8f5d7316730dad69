// Runs on the Debian that test/soak/service.ts boots, as root: drives `pdpp service` as the user nora under her systemd.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const HOME = "/home/nora/.postern";
const UNIT = "/home/nora/.config/systemd/user/postern.service";
const step = existsSync(UNIT) ? "reboot" : "install";
const said = (text: string): void => console.log(`${(process.uptime() + started).toFixed(0).padStart(4)} s  ${text}`);
const started = Number(readFileSync("/proc/uptime", "utf8").split(" ")[0]);

said(`${execFileSync("systemctl", ["--version"], { encoding: "utf8" }).split("\n")[0]}, step ${step}`);
await (step === "install" ? installed() : rebooted());
console.log(`passed ${step}`);

async function installed(): Promise<void> {
  // Without polkit, only root may do this.
  execFileSync("loginctl", ["enable-linger", "nora"]);
  said(nora("pdpp service install"));
  await ready();
  assert.match(nora("pdpp service status"), /Active: active \(running\)/);
  assert.match(nora("pdpp service logs"), /\/setup\?code=/);
  said("install, status and logs work");

  const pid = show("MainPID");
  limits(pid);
  confinement();
  assert.equal(show("MemoryMax"), String(2 * 1024 ** 3));

  process.kill(Number(pid), "SIGKILL");
  while (show("NRestarts") !== "1") await sleep(1000);
  await ready();
  assert.notEqual(show("MainPID"), pid);
  said("restarted after kill -9");

  if (existsSync(memoryLimit(show("MainPID")))) await memory();
  else said("SKIPPED the memory limit: this machine's systemd has no control over memory");

  nora("pdpp service stop");
  assert.deepEqual([show("ActiveState"), show("Result"), show("ExecMainStatus")], ["inactive", "success", "0"]);
  nora("pdpp service start");
  await ready();
  said("stopped cleanly, and started again");
}

/** The service is up although nobody has signed in. */
async function rebooted(): Promise<void> {
  await ready();
  said("started at boot");
  const pid = show("MainPID");
  said(nora("pdpp service uninstall"));
  assert.equal(existsSync(UNIT), false);
  assert.equal(existsSync(`/proc/${pid}`), false);
  assert.equal(existsSync(`${HOME}/records.db`), true);
  assert.equal(show("LoadState"), "not-found");
}

function memoryLimit(pid: string): string {
  const [, group] = /^0::(.*)$/m.exec(readFileSync(`/proc/${pid}/cgroup`, "utf8"))!;
  return `/sys/fs/cgroup${group}/memory.max`;
}

async function memory(): Promise<void> {
  assert.equal(readFileSync(memoryLimit(show("MainPID")), "utf8").trim(), String(2 * 1024 ** 3));
  // Less than the server needs, so the kernel has to end it.
  nora("systemctl --user set-property --runtime postern.service MemoryMax=32M");
  while (show("NRestarts") === "1") await sleep(1000);
  assert.match(nora("journalctl --user --no-pager --user-unit=postern.service"), /oom-kill/);
  nora("systemctl --user revert postern.service && pdpp service install");
  await ready();
  said("ended by the kernel at its memory limit, and restarted");
}

function limits(pid: string): void {
  const status = Object.fromEntries(
    readFileSync(`/proc/${pid}/status`, "utf8")
      .split("\n")
      .map((line) => line.split(":\t")),
  );
  assert.deepEqual([status.NoNewPrivs, status.Seccomp, status.Umask], ["1", "2", "0077"]);
  assert.equal(status.CapEff, "0000000000000000");
  assert.match(readFileSync(`/proc/${pid}/limits`, "utf8"), /Max open files\s+16384/);
  said("open files, privileges and system calls are limited");
}

/** Runs commands with the confinement of the service: its unit with another program. */
function confinement(): void {
  mkdirSync("/srv/nora");
  chownSync("/srv/nora", 1000, 1000);
  for (const path of ["/home/nora/x", "/home/nora/.config/x", "/srv/nora/x", "/run/user/1000/x"]) {
    assert.equal(allowed(`touch ${path}`), false, `the service can write to ${path}`);
    nora(`touch ${path}`);
  }
  assert.equal(allowed(`touch ${HOME}/x /tmp/only-there`), true);
  assert.deepEqual([existsSync(`${HOME}/x`), existsSync("/tmp/only-there")], [true, false]);
  assert.equal(allowed("systemd-run --user --wait touch /home/nora/escaped"), false, "a program got out");
  nora("systemd-run --user --wait touch /home/nora/escaped");
  said("only the home can be written to");
  assert.equal(allowed("unshare --user --map-current-user --net true"), true, "parsers cannot be cut off the network");
  assert.equal(allowed("unshare --user --map-current-user --mount true"), false);
  said("parsers can get their network namespace, and no other kind");
}

function allowed(command: string): boolean {
  const unit = readFileSync(UNIT, "utf8")
    .replace(/^Type=.*\nExecStart=.*$/m, `Type=oneshot\nExecStart=/bin/sh -c "${command}"`)
    .replace(/^Restart=.*$/m, "");
  writeFileSync(UNIT.replace("postern", "probe"), unit);
  nora("systemctl --user daemon-reload");
  return login("systemctl --user start probe.service").status === 0;
}

/** Runs a command in a login session as nora, and returns its output. */
function nora(command: string): string {
  const { status, stdout, stderr } = login(command);
  assert.equal(status, 0, `${command}: ${stdout}${stderr}`);
  return stdout.trim();
}

function login(command: string) {
  return spawnSync("su", ["--login", "nora", "-c", command], { encoding: "utf8" });
}

function show(property: string): string {
  return nora(`systemctl --user show --value --property=${property} postern.service`);
}

async function ready(): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    const answer = await fetch("http://127.0.0.1:7887/readyz").catch(() => undefined);
    if (answer?.ok) return;
    await sleep(1000);
  }
  throw new Error(`the server does not answer: ${nora("pdpp service status; pdpp service logs")}`);
}
