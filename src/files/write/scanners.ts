// Scanner processes that outlive a scan: starting one takes as long as reading ten thousand entries.
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

  /** After a scan that was stopped or failed, one may be in the middle of a task: it ends. */
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
