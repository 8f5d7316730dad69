// npm run soak -- container: builds deploy/Dockerfile with podman, and runs deploy/compose.yaml. The base image is a
// Debian root with this Node. Needs root and port 7887.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { debianWithNode, needs, npmSettings, run } from "./machine/debian.ts";

const deploy = join(import.meta.dirname, "../../deploy");
const HOST = "data.example.org";
const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
const CONTAINER = "deploy_postern_1";
const CLUSTER = { PUBLIC_URL: `https://${HOST}`, POSTGRES_PASSWORD: "a", S3_PASSWORD: "b" };
const CALENDAR =
  "BEGIN:VCALENDAR\\nVERSION:2.0\\nPRODID:-//Test//EN\\nBEGIN:VEVENT\\nUID:1@test\\nDTSTAMP:20260101T000000Z\\nDTSTART:20260704T090000Z\\nSUMMARY:Ferry to Holyhead\\nEND:VEVENT\\nEND:VCALENDAR\\n";

needs({ podman: "podman", "podman-compose": "podman-compose", runc: "runc", debootstrap: "debootstrap" });
const folder = mkdtempSync(join(tmpdir(), "postern-container-"));
const settings = (name: string, content: string): string => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};
const processes = Math.min(4096, Number(run("bash", "-c", "ulimit -Hu")) || 4096);
const env = {
  ...process.env,
  PUBLIC_URL: CLUSTER.PUBLIC_URL,
  CONTAINERS_STORAGE_CONF: settings(
    "storage.conf",
    `[storage]\ndriver = "overlay"\nrunroot = "${folder}/run"\ngraphroot = "${folder}/images"\n`,
  ),
  // runc, unlike crun, works where both versions of cgroups are mounted. podman would raise the number of processes
  // above the limit of this machine, which needs a privilege that root may lack.
  CONTAINERS_CONF: settings(
    "containers.conf",
    `[containers]\ndefault_ulimits = ["nofile=16384:16384", "nproc=${processes}:${processes}"]\n[engine]\nruntime = "runc"\ncgroup_manager = "cgroupfs"\nevents_logger = "file"\n[network]\nnetwork_config_dir = "${folder}/networks"\n`,
  ),
};
const compose = (...args: string[]): void =>
  void execFileSync("podman-compose", ["-f", join(deploy, "compose.yaml"), ...args], { env, stdio: "inherit" });
const podman = (...args: string[]): string => execFileSync("podman", args, { env, encoding: "utf8" }).trim();
const inside = (...command: string[]): string => podman("exec", CONTAINER, ...command);

try {
  guards();
  build();
  await up();
  await confined();
  inside("sh", "-c", `printf '${CALENDAR}' > /tmp/trip.ics && pdpp import /tmp/trip.ics --yes`);
  podman("stop", "--time", "20", CONTAINER);
  assert.equal(podman("inspect", "--format", "{{.State.ExitCode}}", CONTAINER), "0");
  compose("down");
  await up();
  assert.match(inside("pdpp", "search", "holyhead"), /Ferry to Holyhead/);
  console.log("stopped cleanly; a new container has the data of the first one");
} finally {
  spawnSync("podman", ["system", "reset", "--force"], { env });
  rmSync(folder, { recursive: true, force: true });
}

/** Without one of its variables, a compose file is refused with the reason. */
function guards(): void {
  const config = (file: string, variables: Readonly<Record<string, string | undefined>>) =>
    spawnSync("podman-compose", ["--dry-run", "-f", join(deploy, file), "up"], {
      env: { ...env, PUBLIC_URL: undefined, ...variables },
      encoding: "utf8",
    });
  assert.match(config("compose.yaml", {}).stderr, /set it to the https address of this server/);
  for (const name of Object.keys(CLUSTER)) {
    const { status, stderr } = config("cluster/compose.yaml", { ...CLUSTER, [name]: undefined });
    assert.ok(status !== 0 && /set (it to the https|a password)/.test(stderr), `${name} is not required`);
  }
  assert.equal(config("cluster/compose.yaml", CLUSTER).status, 0);
  console.log("both compose files require their variables");
}

/** Builds as compose.yaml says. npm uses this machine's registry, and a copy of its cache. */
function build(): void {
  const root = join(folder, "base");
  debianWithNode(root, [], "node");
  run("tar", "-C", root, "-cf", `${root}.tar`, ".");
  rmSync(root, { recursive: true });
  podman("import", "--change", `ENV PATH=${PATH}`, `${root}.tar`, "docker.io/library/node:24-slim");
  const npmrc = settings("npmrc", `${npmSettings()}cache=/npm-cache\nprefer-offline=true\n`);
  const cache = run("npm", "config", "get", "cache").trim();
  const volumes = `--volume ${npmrc}:/root/.npmrc:ro --volume ${cache}:/npm-cache:O`;
  compose("--podman-build-args", `--format docker --pull=never --network host ${volumes}`, "build");
}

async function up(): Promise<void> {
  compose("up", "-d", "--no-build");
  for (let tries = 0; spawnSync("podman", ["healthcheck", "run", CONTAINER], { env }).status !== 0; tries++) {
    if (tries === 60) throw new Error(`not healthy: ${podman("logs", CONTAINER)}`);
    await sleep(1000);
  }
  console.log("healthy");
}

/** The setup page answers through the published port, and the process has no rights that it does not need. */
async function confined(): Promise<void> {
  const { stdout, stderr } = spawnSync("podman", ["logs", CONTAINER], { env, encoding: "utf8" });
  const [, path] = /https:\/\/data\.example\.org(\/setup\?code=\S+)/.exec(stdout + stderr)!;
  const [status, page] = await new Promise<[number | undefined, Promise<string>]>((resolve, reject) =>
    request({ port: 7887, host: "127.0.0.1", path, headers: { host: HOST } }, (answer) =>
      resolve([answer.statusCode, text(answer)]),
    )
      .on("error", reject)
      .end(),
  );
  assert.equal(status, 200, await page);
  assert.equal(inside("id", "-un"), "node");
  assert.match(inside("cat", "/proc/1/status"), /CapBnd:\t0{16}.*NoNewPrivs:\t1/s);
  assert.match(
    spawnSync("podman", ["exec", CONTAINER, "touch", "/home/node/x"], { env, encoding: "utf8" }).stderr,
    /Read-only/,
  );
  console.log("the setup page answers; the server runs as node, without capabilities, on a read-only root");
}
