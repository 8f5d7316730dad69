// Does the work of a due schedule: rescans a disk, runs a connector, or checks a folder.
import type { EngineHost } from "../../engine/host.ts";
import type { ObjectPlace } from "../../engine/objects-place.ts";
import { importFolder } from "./folder-import.ts";
import type { ScheduledRead } from "./scheduler.ts";

/** Updates a connection. Returns a remark, or throws with a reason. */
type Read = (connectionId: string, signal: AbortSignal) => Promise<string>;

interface ScheduledWorkParts {
  home: string;
  /** Where blobs are stored. Absent means the home. */
  objects?: ObjectPlace;
  host: EngineHost;
  scan: Read;
  collect: Read;
}

export function scheduledWork({ home, objects, host, scan, collect }: ScheduledWorkParts): ScheduledRead {
  return ({ target, isDisk }, signal, credential) => {
    if (target.kind === "folder") return importFolder({ home, objects, host, credential, signal }, target);
    return (isDisk ? scan : collect)(target.connection_id, signal);
  };
}
