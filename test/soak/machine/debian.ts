// A Debian root directory with this Node and this npm, for soak tests that need a machine of their own.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, readFileSync, realpathSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";

const CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt";

/** Runs a program and returns its output. Its messages are shown. */
export const run = (file: string, ...args: string[]): string =>
  execFileSync(file, args, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"], maxBuffer: 1e8 });

/** Ends the soak test with the command that installs what is missing: program → Debian package. */
export function needs(programs: Readonly<Record<string, string>>): void {
  const missing = Object.entries(programs).flatMap(([program, name]) =>
    spawnSync("which", [program]).status === 0 ? [] : [name],
  );
  if (process.getuid?.() === 0 && missing.length === 0) return;
  const install = missing.length === 0 ? "" : `, and Debian's packages: apt-get install -y ${missing.join(" ")}`;
  console.error(`This soak test needs Linux and root${install}`);
  process.exit(2);
}

/** Creates the root with these packages and one user. */
export function debianWithNode(root: string, packages: readonly string[], user: string): void {
  const [mirror] = run("apt-get", "indextargets", "--format", "$(REPO_URI)").split("\n");
  const [, release] = /^VERSION_CODENAME=(\w+)$/m.exec(readFileSync("/etc/os-release", "utf8"))!;
  const include = ["ca-certificates", "libstdc++6", ...packages].join(",");
  const options = ["--variant=minbase", `--include=${include}`];
  // Its output is shown, because it is progress, and names the package that failed.
  execFileSync("debootstrap", [...options, release!, root, mirror!], { stdio: ["ignore", "inherit", "inherit"] });
  const npm = dirname(dirname(realpathSync(run("which", "npm").trim())));
  cpSync(realpathSync(process.execPath), join(root, "usr/local/bin/node"));
  cpSync(npm, join(root, "usr/local/lib/node_modules/npm"), { recursive: true });
  symlinkSync("../lib/node_modules/npm/bin/npm-cli.js", join(root, "usr/local/bin/npm"));
  run("chroot", root, "useradd", "--create-home", "--shell", "/bin/bash", "--uid", "1000", user);
  // Copies this machine's network settings: its name servers and trusted certificate authorities.
  for (const path of ["/etc/resolv.conf", CERTIFICATES]) cpSync(path, join(root, path), { dereference: true });
}

/** The npm settings with which a root or container reaches this machine's registry. */
export const npmSettings = (): string => `registry=${run("npm", "config", "get", "registry").trim()}
cafile=${CERTIFICATES}
update-notifier=false
`;
