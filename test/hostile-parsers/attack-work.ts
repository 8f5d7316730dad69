// Runs all attacks in a process that is started like the one that extracts text. Such a process cannot read any file.
import type { SandboxedWork } from "../../src/sandbox/work.ts";
import { ATTACKS, fill, spin, type Targets } from "./attacks.ts";

interface Order {
  attack?: "spin" | "fill" | "flood" | "kill";
  targets: Targets;
}

export const work: SandboxedWork = (_start, tell) => (message) => {
  const { attack, targets } = message as Order;
  if (attack === "spin") spin();
  if (attack === "fill") fill();
  if (attack === "kill") {
    Object.defineProperty(process, "pid", { value: targets.victim });
    process.exit();
  }
  if (attack === "flood") for (;;) tell({ flood: true }, new Uint8Array(1024 * 1024));
  void (async () => {
    const through: string[] = [];
    for (const [name, run] of Object.entries(ATTACKS)) {
      try {
        await run(targets);
        through.push(name);
      } catch {
        // The attack was blocked.
      }
    }
    tell({ through, tried: Object.keys(ATTACKS).length });
  })();
};
