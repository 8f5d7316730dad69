// Reads the memory and processor time of a process from /proc where it exists, otherwise from `ps`.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";

export interface Usage {
  residentBytes: number;
  cpuMs: number;
}

/** Linux reports hundredths of a second to every program, whatever the kernel's tick is. */
const TICK_MS = 10;

/** Returns undefined if the process has exited, or if this system does not report its usage. */
export const usageOf = async (pid: number): Promise<Usage | undefined> =>
  process.platform === "linux" ? procUsage(pid) : psUsage(pid);

function procUsage(pid: number): Usage | undefined {
  try {
    const resident = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // Skip the name, which may contain anything. The state is field 3, and user and system time are fields 14 and 15.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return resident === undefined
      ? undefined
      : { residentBytes: Number(resident) * 1024, cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS };
  } catch {
    return undefined;
  }
}

export async function psUsage(pid: number): Promise<Usage | undefined> {
  try {
    const { stdout } = await promisify(execFile)("ps", ["-o", "rss=,time=", "-p", String(pid)]);
    const [resident, time] = stdout.trim().split(/\s+/);
    // [[days-]hours:]minutes:seconds
    const [clock = "", days = "0"] = time!.split("-").reverse();
    const seconds = clock.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
    return { residentBytes: Number(resident) * 1024, cpuMs: (Number(days) * 86_400 + seconds) * 1000 };
  } catch {
    return undefined;
  }
}
