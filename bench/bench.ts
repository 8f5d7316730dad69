// Defines a benchmark: a name, and functions that measure it on the homes of one run.
import type { BenchHome } from "./home.ts";
import type { Options, SizeName } from "./options.ts";
import type { Result } from "./report.ts";

export interface Bench {
  name: string;
  /** Runs once for each home, from the smallest to the largest. */
  onHome?(home: BenchHome, options: Options): Promise<Result[]>;
  /** Runs once for each size, on a home that it creates itself. */
  onSize?(size: SizeName, options: Options): Promise<Result[]>;
  /** Runs once for all homes together, after all of them are filled. */
  onAll?(homes: readonly BenchHome[], options: Options): Promise<Result[]>;
}
