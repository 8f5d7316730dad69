// Describes the server for a service manager. Each system's file is generated from this description.
import { userInfo } from "node:os";

export interface ServiceDefinition {
  /** The service name, the same on every system: `postern`, or `postern-NAME` for a second home. */
  name: string;
  description: string;
  /** The program and its arguments, with absolute paths. */
  command: readonly string[];
  home: string;
  /** The folder for scheduled backups. It is the only place besides the home that the server writes to. */
  backups?: string;
  /** The file to which launchd writes the server's output; systemd has its journal. */
  logFile: string;
  /** The environment variables that the server reads, with their current values. */
  environment: Readonly<Record<string, string>>;
  /** The account under which the Windows task runs. */
  user: string;
  limits: typeof SERVICE_LIMITS;
}

export const SERVICE_LIMITS = {
  /**
   * If the server uses more memory, the system ends and restarts it. See docs/work/performance.md for its memory use.
   */
  memoryBytes: 2 * 1024 ** 3,
  /** Requests in flight get ten seconds, the store four more (serve-stop.ts). */
  stopSeconds: 20,
  restartSeconds: 5,
  openFiles: 16_384,
} as const;

/**
 * Settings that `pdpp serve` reads from the environment. Secrets are omitted, because they do not belong in service
 * files.
 */
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
  /** Node and the pdpp script. */
  program: readonly string[];
  /** The options of `pdpp serve`. */
  options: readonly string[];
  environment: Readonly<Record<string, string | undefined>>;
}): ServiceDefinition {
  const kept = KEPT.flatMap((key) => (environment[key] ? [[key, environment[key]] as const] : []));
  return {
    name,
    description: `Postern, the personal-data server for ${home}`,
    command: [...program, "serve", "--home", home, ...options],
    home,
    ...(backups === undefined ? {} : { backups }),
    logFile,
    environment: Object.fromEntries(kept),
    user: userInfo().username,
    limits: SERVICE_LIMITS,
  };
}
