// The options of `npm run bench`.
import { parseArgs } from "node:util";

export const SIZES = { "10k": 10_000, "100k": 100_000, "1m": 1_000_000 } as const;
export type SizeName = keyof typeof SIZES;

export interface Options {
  sizes: SizeName[];
  json: boolean;
  /** Run only benchmarks whose name contains one of these. */
  only: string[];
  /** Keep and reuse homes: useful for tuning, but not for ingest figures. */
  keep: boolean;
  /** Print the names of the selected benchmarks and measure nothing. */
  list: boolean;
  duckdb: boolean;
  /** The size in megabytes of the mbox that is used to measure import memory. */
  mboxMb: number;
  /** A built checkout of another commit. Imports are compared with it instead of with a bare parse. */
  against?: string;
  /** How often each of the two builds imports a file. */
  pairs: number;
}

export const USAGE = `npm run bench [-- OPTIONS]
  --size 10k,100k,1m   sizes of the homes (default: all three)
  --quick              only 10k
  --only NAME          only benchmarks whose name contains NAME; can be repeated
  --list               print the names of the selected benchmarks and measure nothing
  --json               print one JSON document instead of the table
  --keep               keep the homes in the temporary folder and reuse them
  --duckdb             install DuckDB in a temporary folder and compare the aggregates with it too
  --mbox MB            size of the mbox for measuring import memory (default 200; the budget is for 2048)
  --against DIR        compare imports with the build in DIR, a checkout of another commit
  --pairs N            with --against: how often each build imports each file (default 5)
`;

export function parseOptions(argv: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      size: { type: "string", multiple: true },
      quick: { type: "boolean" },
      only: { type: "string", multiple: true },
      list: { type: "boolean" },
      json: { type: "boolean" },
      keep: { type: "boolean" },
      duckdb: { type: "boolean" },
      mbox: { type: "string" },
      against: { type: "string" },
      pairs: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    process.exit(0);
  }
  const asked = values.quick
    ? ["10k"]
    : (values.size?.flatMap((text) => text.toLowerCase().split(",")) ?? Object.keys(SIZES));
  const unknown = asked.find((name) => !(name in SIZES));
  if (unknown !== undefined) throw new Error(`--size must be one of ${Object.keys(SIZES).join(", ")}, not ${unknown}`);
  const sizes = (Object.keys(SIZES) as SizeName[]).filter((name) => asked.includes(name));
  const mboxMb = Number(values.mbox ?? 200);
  if (!(mboxMb > 0)) throw new Error(`--mbox must be a number of megabytes, not ${values.mbox}`);
  const pairs = Number(values.pairs ?? 5);
  if (!(Number.isInteger(pairs) && pairs > 0)) throw new Error(`--pairs must be a whole number, not ${values.pairs}`);
  return {
    sizes,
    json: values.json ?? false,
    only: values.only ?? [],
    keep: values.keep ?? false,
    list: values.list ?? false,
    duckdb: values.duckdb ?? false,
    mboxMb,
    ...(values.against === undefined ? {} : { against: values.against }),
    pairs,
  };
}
