// The three service managers: the file each one reads, and the commands that install, query, stop and remove the
// service.
import { userInfo } from "node:os";
import { join } from "node:path";
import type { ServiceDefinition } from "./definition.ts";
import { launchdLabel, launchdPlist } from "./launchd-plist.ts";
import { systemdUnit } from "./systemd-unit.ts";
import { windowsTask } from "./windows-task.ts";

export interface ServiceManager {
  title: string;
  file(name: string, userFolder: string): string;
  render(definition: ServiceDefinition): string;
  encoding: BufferEncoding;
  /**
   * Each command is a program with its arguments. A command that may fail because there is nothing to undo is marked as
   * such.
   */
  install(name: string, file: string): ServiceCommand[];
  status(name: string): ServiceCommand;
  logs(name: string, logFile: string, lines: number): ServiceCommand;
  /** Explains the output if the log command succeeds although there is no log. Returns undefined if there is a log. */
  withoutLog?(name: string, printed: { stdout: string; stderr: string }): MissingLog | undefined;
  start(name: string, file: string): ServiceCommand[];
  stop(name: string, file: string): ServiceCommand[];
  uninstall(name: string, file: string): ServiceCommand[];
  /** A hint about useful commands, shown after the installation. */
  afterInstall?: string;
}

export interface MissingLog {
  message: string;
  nextStep: string;
}

export interface ServiceCommand {
  words: readonly [string, ...string[]];
  mayFail?: true;
}

const run = (...words: [string, ...string[]]): ServiceCommand => ({ words });
const tryTo = (...words: [string, ...string[]]): ServiceCommand => ({ words, mayFail: true });

const unit = (name: string): string => `${name}.service`;
/** After five failures in five minutes, systemd refuses to start a service, even if its owner has fixed the cause. */
const forgetFailures = (name: string): ServiceCommand => tryTo("systemctl", "--user", "reset-failed", unit(name));
const domain = (): string => `gui/${userInfo().uid}`;
const tail = (file: string, lines: number): ServiceCommand => run("tail", "-n", String(lines), file);

export const SERVICE_MANAGERS = {
  systemd: {
    title: "systemd (user services)",
    file: (name, userFolder) => join(userFolder, ".config/systemd/user", unit(name)),
    render: systemdUnit,
    encoding: "utf8",
    install: (name) => [
      run("systemctl", "--user", "daemon-reload"),
      run("systemctl", "--user", "enable", unit(name)),
      forgetFailures(name),
      run("systemctl", "--user", "restart", unit(name)),
    ],
    status: (name) => run("systemctl", "--user", "--no-pager", "--lines=0", "status", unit(name)),
    logs: (name, _logFile, lines) =>
      run("journalctl", "--user", "--no-pager", `--lines=${lines}`, `--user-unit=${unit(name)}`),
    // journalctl exits with 0 even if there is no journal.
    withoutLog: (name, { stdout, stderr }) => {
      if (!/^(-- No entries --)?\s*$/.test(stdout)) return undefined;
      return stderr.includes("No journal files")
        ? {
            message: `this machine keeps no journal, so the log of ${name} is not stored`,
            nextStep:
              "As root, set Storage=persistent in /etc/systemd/journald.conf and restart systemd-journald. To see the output now, run `pdpp service stop`, then `pdpp serve`.",
          }
        : {
            message: `the journal has no entries for ${name}`,
            nextStep: "`pdpp service status` shows whether it is running; `pdpp service start` starts it.",
          };
    },
    start: (name) => [forgetFailures(name), run("systemctl", "--user", "start", unit(name))],
    stop: (name) => [run("systemctl", "--user", "stop", unit(name))],
    uninstall: (name) => [
      tryTo("systemctl", "--user", "disable", "--now", unit(name)),
      tryTo("systemctl", "--user", "daemon-reload"),
    ],
    afterInstall: "The service runs while you are signed in. To start it at boot: loginctl enable-linger",
  },
  launchd: {
    title: "launchd (user agents)",
    file: (name, userFolder) => join(userFolder, "Library/LaunchAgents", `${launchdLabel(name)}.plist`),
    render: launchdPlist,
    encoding: "utf8",
    install: (name, file) => [
      tryTo("launchctl", "bootout", `${domain()}/${launchdLabel(name)}`),
      run("launchctl", "bootstrap", domain(), file),
    ],
    status: (name) => run("launchctl", "print", `${domain()}/${launchdLabel(name)}`),
    logs: (_name, logFile, lines) => tail(logFile, lines),
    start: (name) => [run("launchctl", "kickstart", `${domain()}/${launchdLabel(name)}`)],
    stop: (name) => [run("launchctl", "kill", "SIGTERM", `${domain()}/${launchdLabel(name)}`)],
    uninstall: (name) => [tryTo("launchctl", "bootout", `${domain()}/${launchdLabel(name)}`)],
  },
  windows: {
    title: "Windows Task Scheduler",
    file: (name, userFolder) => join(userFolder, "AppData", "Local", "Postern", `${name}.xml`),
    render: windowsTask,
    // schtasks reads no other encoding.
    encoding: "utf16le",
    install: (name, file) => [
      run("schtasks", "/Create", "/F", "/TN", name, "/XML", file),
      run("schtasks", "/Run", "/TN", name),
    ],
    status: (name) => run("schtasks", "/Query", "/V", "/FO", "LIST", "/TN", name),
    logs: (_name, logFile, lines) =>
      run(
        "powershell",
        "-NoProfile",
        "-Command",
        `Get-Content -Tail ${lines} -LiteralPath '${logFile.replaceAll("'", "''")}'`,
      ),
    start: (name) => [run("schtasks", "/Run", "/TN", name)],
    stop: (name) => [run("schtasks", "/End", "/TN", name)],
    uninstall: (name) => [tryTo("schtasks", "/End", "/TN", name), tryTo("schtasks", "/Delete", "/F", "/TN", name)],
  },
} as const satisfies Record<string, ServiceManager>;

export type ManagerName = keyof typeof SERVICE_MANAGERS;

export function managerOf(platform: NodeJS.Platform): ManagerName | undefined {
  return ({ linux: "systemd", darwin: "launchd", win32: "windows" } as const)[platform as "linux" | "darwin" | "win32"];
}
