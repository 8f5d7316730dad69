// Keeps scanner processes for the next scan, because starting one takes as long as reading ten thousand entries.
import type { ScanSettings } from "../scan/messages.ts";
import { Scanner } from "./scanner-process.ts";

export class Scanners {
  #free: Scanner[] = [];

  take(settings: ScanSettings): Scanner {
    this.#free = this.#free.filter(({ isFree }) => isFree);
    const scanner = this.#free.pop() ?? new Scanner();
    scanner.begin(settings);
    return scanner;
  }

  /** Ends scanners that are still in the middle of a task, which happens when a scan was stopped or failed. */
  async giveBack(scanners: readonly Scanner[]): Promise<void> {
    const free = scanners.filter(({ isFree }) => isFree);
    for (const scanner of free) scanner.leave();
    this.#free.push(...free);
    await Promise.all(scanners.filter((scanner) => !free.includes(scanner)).map((scanner) => scanner.end()));
  }

  async end(): Promise<void> {
    await Promise.all(this.#free.splice(0).map((scanner) => scanner.end()));
  }
}
