// The description of the server for a service manager, from which each system's file is made.
import { userInfo } from "node:os";

export interface ServiceDefinition {
  /** The same on every system: `postern`, or `postern-NAME` for a second home. */
  name: string;
  description: string;
  /** The program and its arguments, with absolute paths. */
  command: readonly string[];
  home: string;
  /** Where scheduled backups go: besides the home, the only place that it writes to. */
  backups?: string;
  /** Where launchd writes what the server prints; systemd has its journal. */
  logFile: string;
  /** Environment variables that the server reads, as they are now. */
  environment: Readonly<Record<string, string>>;
  /** The account that the task of Windows runs as. */
  user: string;
  limits: typeof SERVICE_LIMITS;
}

export const SERVICE_LIMITS = {
  /** Above this the system ends the server, and starts it again; see docs/work/performance.md for what it needs. */
  memoryBytes: 2 * 1024 ** 3,
  /** Requests in flight get ten seconds, the store four more (serve-stop.ts). */
  stopSeconds: 20,
  restartSeconds: 5,
  openFiles: 16_384,
} as const;

/** Settings that `pdpp serve` takes from the environment. Secrets are left out: files of services are not for them. */
const KEPT = ["PDPP_LOG", "PDPP_METRICS", "PDPP_DRAIN_SECONDS", "PDPP_MEMORY"];

export function describeService({
  name,
  home,
  logFile,
  program,
  options,
  environment,
  backups,
}: {
  name: string;
  home: string;
  backups?: string;
  logFile: string;
  /** Node and the script of pdpp. */
  program: readonly string[];
  /** Of `pdpp serve`. */
  options: readonly string[];
  environment: Readonly<Record<string, string | undefined>>;
}): ServiceDefinition {
  const kept = KEPT.flatMap((key) => (environment[key] ? [[key, environment[key]] as const] : []));
  return {
    name,
    description: `Postern, the personal-data server of ${home}`,
    command: [...program, "serve", "--home", home, ...options],
    home,
    ...(backups === undefined ? {} : { backups }),
    logFile,
    environment: Object.fromEntries(kept),
    user: userInfo().username,
    limits: SERVICE_LIMITS,
  };
}
