// npm run soak -- container: runs the steps of deploy/Dockerfile in clean Debian roots and serves from the last one. Needs root and debootstrap.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";

const checkout = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "postern-container-"));
const CERTIFICATES = "etc/ssl/certs/ca-certificates.crt";
const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

interface Stage {
  root: string;
  directory: string;
  user: string;
  env: Record<string, string>;
  health: string[];
  entrypoint: string[];
  command: string[];
}

try {
  const base = debianWithNode();
  const stages = new Map<string, Stage>();
  let stage: Stage | undefined;
  for (const [instruction, rest] of instructions(readFileSync(join(checkout, "deploy/Dockerfile"), "utf8"))) {
    console.log(`${instruction} ${rest.slice(0, 120)}`);
    if (instruction === "FROM") {
      const [image, , name] = rest.split(/\s+/);
      if (image !== "node:24-slim") throw new Error(`there is no root for the image ${image}`);
      stage = newStage(base, stages.size);
      stages.set(name ?? String(stages.size), stage);
    } else apply(stage!, instruction, rest, stages);
  }
  serve(stage!);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Replaces the base image with the same Debian, this Node and this npm, and the image's user. */
function debianWithNode(): string {
  const root = join(folder, "base");
  const run = (file: string, ...args: string[]): string =>
    execFileSync(file, args, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
  const [mirror] = run("apt-get", "indextargets", "--format", "$(REPO_URI)").split("\n");
  const [, release] = /^VERSION_CODENAME=(\w+)$/m.exec(readFileSync("/etc/os-release", "utf8"))!;
  run("debootstrap", "--variant=minbase", "--include=ca-certificates,libstdc++6", release!, root, mirror!);
  const npm = dirname(dirname(realpathSync(run("which", "npm").trim())));
  cpSync(realpathSync(process.execPath), join(root, "usr/local/bin/node"));
  cpSync(npm, join(root, "usr/local/lib/node_modules/npm"), { recursive: true });
  symlinkSync("../lib/node_modules/npm/bin/npm-cli.js", join(root, "usr/local/bin/npm"));
  run("chroot", root, "useradd", "--create-home", "--uid", "1000", "node");
  // Copies this machine's network settings: its name servers and trusted certificate authorities.
  for (const path of ["etc/resolv.conf", CERTIFICATES]) cpSync(`/${path}`, join(root, path), { dereference: true });
  return root;
}

function newStage(base: string, number: number): Stage {
  const root = join(folder, `stage-${number}`);
  execFileSync("cp", ["-a", base, root]);
  return { root, directory: "/", user: "root", env: { PATH }, health: [], entrypoint: [], command: [] };
}

/** Returns the instructions with continued lines joined, without comments. */
function instructions(text: string): [instruction: string, rest: string][] {
  return text
    .replace(/^#.*\n/gm, "")
    .replace(/\\\n\s*/g, "")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => [line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" ") + 1).trim()]);
}

function apply(stage: Stage, instruction: string, rest: string, stages: ReadonlyMap<string, Stage>): void {
  switch (instruction) {
    case "WORKDIR":
      stage.directory = rest;
      mkdirSync(join(stage.root, rest), { recursive: true });
      return;
    case "COPY":
      copy(stage, rest, stages);
      return;
    case "RUN":
      if (inside(stage, ["sh", "-c", rest], "--mount").status !== 0) throw new Error(`RUN ${rest} failed`);
      return;
    case "USER":
      stage.user = rest;
      return;
    case "ENV":
      stage.env[rest.slice(0, rest.indexOf("="))] = rest.slice(rest.indexOf("=") + 1);
      return;
    case "HEALTHCHECK":
      stage.health = JSON.parse(rest.slice(rest.indexOf("CMD ") + 4)) as string[];
      return;
    case "ENTRYPOINT":
      stage.entrypoint = JSON.parse(rest) as string[];
      return;
    case "CMD":
      stage.command = JSON.parse(rest) as string[];
      return;
    case "VOLUME":
    case "EXPOSE":
    case "STOPSIGNAL":
      return;
    default:
      throw new Error(`the instruction ${instruction} is not supported here`);
  }
}

function copy(stage: Stage, rest: string, stages: ReadonlyMap<string, Stage>): void {
  const words = rest.split(/\s+/);
  const from = /^--from=(.*)$/.exec(words[0]!)?.[1];
  if (from === undefined) {
    const left = new Set(readFileSync(join(checkout, ".dockerignore"), "utf8").split("\n"));
    const to = join(stage.root, stage.directory);
    for (const name of readdirSync(checkout)) {
      if (!left.has(name)) cpSync(join(checkout, name), join(to, name), { recursive: true });
    }
    return;
  }
  const [, pattern, to] = words;
  const source = join(stages.get(from)!.root, dirname(pattern!));
  const name = new RegExp(`^${basename(pattern!).replaceAll(".", "\\.").replaceAll("*", ".*")}$`);
  const found = readdirSync(source).filter((file) => name.test(file));
  if (found.length === 0) throw new Error(`COPY found no ${pattern}`);
  for (const file of found) cpSync(join(source, file), join(stage.root, to!, file));
}

/** Runs a command in the root, in separate namespaces. npm uses this machine's registry. */
function inside(stage: Stage, command: readonly string[], ...namespaces: string[]) {
  const registry = execFileSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).trim();
  const home = stage.user === "root" ? "/root" : `/home/${stage.user}`;
  const env = { ...stage.env, HOME: home, npm_config_registry: registry, NODE_EXTRA_CA_CERTS: `/${CERTIFICATES}` };
  const assigned = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const script = `mount -t proc proc "$0/proc" && mount --bind /dev "$0/dev" && exec chroot --userspec="$1" "$0" \
    env -i -C "$2" "\${@:3}"`;
  const [mount, ...others] = [stage.root, stage.user, stage.directory, ...assigned, ...command];
  const args = ["--pid", "--fork", ...namespaces, "bash", "-c", script, mount!, ...others];
  return spawnSync("unshare", args, { stdio: "inherit" });
}

/**
 * Starts the server as the container would, with only a loopback network, and runs it until the health check passes.
 */
function serve(stage: Stage): void {
  const quoted = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(" ");
  const script = `${[...stage.entrypoint, ...stage.command].join(" ")} & server=$!
    for i in $(seq 60); do sleep 1; ${quoted(stage.health.map((word) => word.replaceAll("'", `'"'"'`)))} && break; done || exit 1
    id -un; ls -ld $PDPP_HOME; kill $server; wait $server`;
  const up = `ip link set lo up && exec "$@"`;
  const { status } = inside(stage, ["sh", "-c", script], "--mount", "--net", "sh", "-c", up, "sh");
  if (status !== 0) throw new Error(`the server in the root is not healthy, or ended with ${status}`);
  console.log("healthy, and stopped cleanly");
}
