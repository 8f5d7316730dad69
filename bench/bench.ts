// Defines a line of the bench: a name, and a function that measures it on the homes of one run.
import type { BenchHome } from "./home.ts";
import type { Options, SizeName } from "./options.ts";
import type { Result } from "./report.ts";

export interface Bench {
  name: string;
  /** Runs once for each home, in the order of size. */
  onHome?(home: BenchHome, options: Options): Promise<Result[]>;
  /** Runs once for each size, on a home that it creates itself. */
  onSize?(size: SizeName, options: Options): Promise<Result[]>;
  /** Runs once for all homes, after each is filled. */
  onAll?(homes: readonly BenchHome[], options: Options): Promise<Result[]>;
}
