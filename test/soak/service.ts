// npm run soak -- service [machine]: installs the packed tarball on Debian, and runs the service under its systemd, as a
// user. Debian boots in a systemd-nspawn container, or with `machine` in an emulated machine. Needs root.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { debianWithNode, needs, npmSettings, run } from "./machine/debian.ts";

const checkout = join(import.meta.dirname, "../..");
const emulated = process.argv[2] === "machine";
/** Runs the checks once the system is up, and switches it off. */
const UNIT = `[Unit]
After=systemd-user-sessions.service
[Service]
Type=oneshot
ExecStart=/usr/local/bin/node /usr/local/lib/service-checks.ts
ExecStopPost=systemctl poweroff --no-block
StandardOutput=file:/dev/console
StandardError=inherit
`;

needs({
  debootstrap: "debootstrap",
  ...(emulated
    ? { "qemu-system-x86_64": "qemu-system-x86", mke2fs: "e2fsprogs" }
    : { "systemd-nspawn": "systemd-container" }),
});
const folder = mkdtempSync(join(tmpdir(), "postern-service-"));
try {
  const root = join(folder, "root");
  makeRoot(root);
  const boot = emulated ? machine(root) : container(root);
  for (const step of ["install", "reboot"]) await watch(boot, step);
  console.log("systemd ran the service, and all checks passed");
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Installs the tarball as a user would. */
function makeRoot(root: string): void {
  const kernel = emulated ? ["linux-image-cloud-amd64", "initramfs-tools"] : [];
  // debootstrap does not choose between packages that provide the same thing, so dbus is named.
  debianWithNode(root, ["systemd-sysv", "dbus", "dbus-user-session", "libpam-systemd", ...kernel], "nora");
  run("npm", "pack", checkout, "--loglevel=error", "--pack-destination", join(root, "tmp"));
  writeFileSync(join(root, "root/.npmrc"), npmSettings());
  run("chroot", root, "sh", "-c", "npm install --global --no-audit --no-fund /tmp/postern-*.tgz");
  cpSync(join(import.meta.dirname, "machine/service-checks.ts"), join(root, "usr/local/lib/service-checks.ts"));
  const wanted = join(root, "etc/systemd/system/multi-user.target.wants");
  mkdirSync(wanted, { recursive: true });
  writeFileSync(join(wanted, "../checks.service"), UNIT);
  symlinkSync("../checks.service", join(wanted, "checks.service"));
  // A login prompt would take the console away from the checks.
  symlinkSync("/dev/null", join(wanted, "../getty.target"));
}

type Boot = readonly [program: string, ...args: string[]];

function container(root: string): Boot {
  const apart = ["--register=no", "--keep-unit", "--private-network", "--link-journal=no"];
  // Without this, the user's systemd could not limit anything on a machine that mounts both versions of cgroups.
  const cgroups = "SYSTEMD_NSPAWN_UNIFIED_HIERARCHY=1";
  return ["env", cgroups, "systemd-nspawn", "-D", root, ...apart, "-b", "systemd.show_status=no"];
}

/** The machine is emulated rather than virtualized, so that this works inside a virtual machine too. */
function machine(root: string): Boot {
  const disk = join(folder, "disk");
  run("mke2fs", "-q", "-t", "ext4", "-d", root, disk, "3G");
  const inBoot = (name: string): string =>
    join(root, "boot", readdirSync(join(root, "boot")).find((file) => file.startsWith(name))!);
  const options = "console=ttyS0 root=/dev/vda rw quiet panic=-1";
  const hardware = "-accel tcg,thread=multi -cpu max -smp 2 -m 3072 -nic none -display none -serial stdio -no-reboot";
  return [
    "qemu-system-x86_64",
    ...hardware.split(" "),
    ...["-drive", `file=${disk},format=raw,if=virtio,cache=unsafe`],
    ...["-kernel", inBoot("vmlinuz"), "-initrd", inBoot("initrd"), "-append", options],
  ];
}

async function watch([program, ...args]: Boot, step: string): Promise<void> {
  const system = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
  let passed = false;
  createInterface(system.stdout).on("line", (line) => {
    console.log(line);
    if (line.trim() === `passed ${step}`) passed = true;
  });
  await once(system, "close");
  if (!passed) throw new Error(`the step ${step} failed`);
}
