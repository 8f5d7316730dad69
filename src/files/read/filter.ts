// Filters over a whole tree. They are validated, ordered by cost, and run column by column over a bitmap of remaining
// matches.
import { PdppError } from "../../contract/errors.ts";
import type { FileFilter, FilterPlan, NodeKind } from "../../contract/files.ts";
import { parseDay, parseInstant } from "../../core/instant.ts";
import { compileGlob, type GlobWork } from "../glob.ts";
import { TYPE } from "../leaf.ts";
import { typeOfExtension } from "../mime.ts";
import { ROOT_ID } from "../write/tree.ts";
import { type EntryBlock, extensionsOf, type IndexColumns, linkKey, nameOf } from "./columns.ts";
import { type NarrowBlock, nameMatcher } from "./name-match.ts";
import { kindOf } from "./node-view.ts";

/** Limits on nesting and operators, because a filter is a condition, not a program. */
const LIMIT = { depth: 20, operators: 200 } as const;
/**
 * How many steps all patterns of a filter may take together, at two or three nanoseconds per step. This allows an
 * average of twenty wildcards against each name or path, and keeps a malicious pattern from delaying others for long.
 */
const PATTERN_STEPS = { least: 1e8, perNode: 2000, most: 3e9 } as const;
/** Longer paths do not match any pattern. */
const PATH_MAX = 65_536;

export interface FilterContext {
  columns: IndexColumns;
  /** Returns the nodes that have a copy, by linkKey. */
  duplicates: () => ReadonlySet<number>;
  /** Returns a directory's path from the root, with a trailing slash. */
  dirPath: (id: number) => string;
}

/** Clears the marks of all nodes that the filter does not match. */
export type CompiledFilter = (context: FilterContext, block: EntryBlock, mask: Uint8Array) => void;

interface FilterStep {
  /** Approximate nanoseconds per node. */
  cost: number;
  narrow: CompiledFilter;
}

interface PlannedStep extends FilterStep {
  plan: FilterPlan;
}

/** Compiles a filter for one run, because a run uses up the step budget of its patterns. */
export function compileFilter(filter: FileFilter, { patternSteps }: { patternSteps?: number } = {}): CompiledFilter {
  const counter: FilterWork = { operators: 0, left: 0 };
  const { narrow } = step(filter, "filter", 0, counter);
  let isBegun = false;
  return (context, block, mask) => {
    if (!isBegun) counter.left = patternSteps ?? stepsFor(context.columns.nodes);
    isBegun = true;
    narrow(context, block, mask);
  };
}

const stepsFor = (nodes: number): number =>
  Math.min(PATTERN_STEPS.least + nodes * PATTERN_STEPS.perNode, PATTERN_STEPS.most);

/** Returns the plan of a filter. Refuses the same filters as `compileFilter`. */
export function explainFilter(filter: FileFilter): FilterPlan {
  return step(filter, "filter", 0, { operators: 0, left: 0 }).plan;
}

/** True if any part of a filter asks which files have copies. Refuses the same filters as `compileFilter`. */
export function comparesContents(filter: FileFilter): boolean {
  const compares = ({ operator, steps = [] }: FilterPlan): boolean => operator === "duplicate" || steps.some(compares);
  return compares(explainFilter(filter));
}

interface FilterWork extends GlobWork {
  operators: number;
}

function step(filter: FileFilter, at: string, depth: number, counter: FilterWork): PlannedStep {
  if (depth > LIMIT.depth || ++counter.operators > LIMIT.operators)
    throw invalid(at, `a filter can have at most ${LIMIT.operators} operators, nested at most ${LIMIT.depth} deep`);
  if (typeof filter !== "object" || filter === null || Array.isArray(filter))
    throw invalid(at, "each part of a filter must be an object with one operator");
  const names = Object.keys(filter).filter((name) => name !== "caseSensitive");
  const [name] = names;
  if (names.length !== 1 || !Object.hasOwn(OPERATORS, name!))
    throw invalid(
      at,
      `must have exactly one of the operators ${Object.keys(OPERATORS).join(", ")}; found ${names.join(", ") || "none"}`,
    );
  const { caseSensitive } = filter as { caseSensitive?: unknown };
  if (caseSensitive !== undefined && (typeof caseSensitive !== "boolean" || !["name", "path"].includes(name!)))
    throw invalid(at, "caseSensitive must be true or false, and can only be used with name or path");
  const steps: PlannedStep[] = [];
  const inner = (one: FileFilter, place: string): FilterStep => {
    const made = step(one, `${at}.${place}`, depth + 1, counter);
    steps.push(made);
    return made;
  };
  const made = OPERATORS[name as keyof typeof OPERATORS](filter as never, `${at}.${name}`, inner, counter);
  const plan = { operator: name!, nanosecondsPerNode: made.cost };
  if (steps.length === 0) return { ...made, plan: { ...plan, filter } };
  if (name === "and") steps.sort((one, other) => one.cost - other.cost);
  return { ...made, plan: { ...plan, steps: steps.map((one) => one.plan) } };
}

type Inner = (filter: FileFilter, place: string) => FilterStep;
type With<Name extends string> = Extract<FileFilter, Record<Name, unknown>>;

const OPERATORS = {
  and({ and }: With<"and">, at: string, inner: Inner): FilterStep {
    const steps = list(and, at).map((one, index) => inner(one, `and[${index}]`));
    steps.sort((one, other) => one.cost - other.cost);
    return {
      cost: sum(steps),
      narrow(context, block, mask) {
        for (const { narrow } of steps) narrow(context, block, mask);
      },
    };
  },

  or({ or }: With<"or">, at: string, inner: Inner): FilterStep {
    const steps = list(or, at).map((one, index) => inner(one, `or[${index}]`));
    return {
      cost: sum(steps) + 2 * steps.length,
      narrow(context, block, mask) {
        const left = mask.slice(0, block.count);
        const some = new Uint8Array(block.count);
        for (const { narrow } of steps) {
          const one = left.slice();
          narrow(context, block, one);
          for (let index = 0; index < block.count; index++) {
            if (one[index] === 0) continue;
            some[index] = 1;
            left[index] = 0;
          }
        }
        mask.set(some);
      },
    };
  },

  not({ not }: With<"not">, _at: string, inner: Inner): FilterStep {
    const { cost, narrow } = inner(not, "not");
    return {
      cost: cost + 2,
      narrow(context, block, mask) {
        const one = mask.slice(0, block.count);
        narrow(context, block, one);
        for (let index = 0; index < block.count; index++) if (one[index] === 1) mask[index] = 0;
      },
    };
  },

  name({ name, caseSensitive = false }: With<"name">, at: string, _inner: Inner, work: GlobWork): FilterStep {
    const narrow: NarrowBlock = pattern(at, () => nameMatcher(text(name, at), { ignoreCase: !caseSensitive, work }));
    return { cost: 10, narrow: (_, block, mask) => narrow(block, mask) };
  },

  path({ path, caseSensitive = false }: With<"path">, at: string, _inner: Inner, work: GlobWork): FilterStep {
    const plain = text(path, at).replace(/^\//, "");
    const options = { ignoreCase: !caseSensitive, work };
    const glob = pattern(at, () => compileGlob(plain, options));
    const last = lastName(plain);
    const byName = last === undefined ? undefined : nameMatcher(last, options);
    return {
      cost: 500,
      narrow({ dirPath }, block, mask) {
        byName?.(block, mask);
        for (let index = 0; index < block.count; index++) {
          if (mask[index] === 0) continue;
          const above = dirPath(block.parents[index]!);
          const isShort = above.length < PATH_MAX;
          if (!isShort || !glob(above + Buffer.from(nameOf(block, index)).toString("utf8"))) mask[index] = 0;
        }
      },
    };
  },

  kind({ kind }: With<"kind">, at: string): FilterStep {
    const wanted = new Set<NodeKind>(Array.isArray(kind) ? kind : [kind]);
    const unknown = [...wanted].find((one) => !KINDS.includes(one));
    if (unknown !== undefined) throw invalid(at, `kind must be one of ${KINDS.join(", ")}`);
    const wantedTypes = Uint8Array.from({ length: 16 }, (_, type) => (wanted.has(kindOf(type << 12)) ? 1 : 0));
    return each(1, ({ modes }, index) => wantedTypes[modes[index]! >>> 12] === 1);
  },

  type({ type }: With<"type">, at: string): FilterStep {
    const wanted = text(type, at).toLowerCase();
    const fits = wanted.startsWith(".")
      ? (extension: string) => extension === wanted.slice(1)
      : wanted.endsWith("/*")
        ? (extension: string) => typeOfExtension(extension).startsWith(wanted.slice(0, -1))
        : (extension: string) => typeOfExtension(extension) === wanted;
    return {
      cost: 3,
      narrow({ columns }, block, mask) {
        const codes = extensionsOf(columns, block);
        const fitting = Uint8Array.from(columns.extensions.text, (extension) => (fits(extension) ? 1 : 0));
        for (let index = 0; index < block.count; index++) {
          const isFile = (block.modes[index]! & TYPE.mask) === TYPE.file;
          if (mask[index] === 1 && !(isFile && fitting[codes[index]!] === 1)) mask[index] = 0;
        }
      },
    };
  },

  size({ size }: With<"size">, at: string): FilterStep {
    const { min, max } = range(size, at);
    return inRange("sizes", min, max);
  },

  modified({ modified }: With<"modified">, at: string): FilterStep {
    onlyMembers(modified, ["after", "before"], at);
    const { after, before } = modified ?? {};
    const from = after === undefined ? Number.NEGATIVE_INFINITY : instant(after, `${at}.after`);
    const to = before === undefined ? Number.POSITIVE_INFINITY : instant(before, `${at}.before`);
    // Times are whole milliseconds.
    return inRange("times", from, Math.ceil(to) - 1);
  },

  uid: ({ uid }: With<"uid">, at: string): FilterStep => ownerStep("uid", whole(uid, at)),
  gid: ({ gid }: With<"gid">, at: string): FilterStep => ownerStep("gid", whole(gid, at)),

  permission({ permission }: With<"permission">, at: string): FilterStep {
    onlyMembers(permission, ["all", "any"], at);
    const { all, any } = (permission ?? {}) as { all?: string; any?: string };
    const given = all ?? any;
    if (given === undefined || (all !== undefined && any !== undefined) || !/^[0-7]{1,4}$/.test(given))
      throw invalid(at, `permission expects octal bits, e.g. {"any":"022"} or {"all":"4000"}`);
    const bits = Number.parseInt(given, 8);
    return each(1, ({ modes }, index) =>
      all === undefined ? (modes[index]! & bits) !== 0 : (modes[index]! & bits) === bits,
    );
  },

  depth({ depth }: With<"depth">, at: string): FilterStep {
    const { min, max } = range(depth, at);
    return {
      cost: 2,
      narrow({ columns: { dirs } }, block, mask) {
        for (let index = 0; index < block.count; index++) {
          const here = dirs.depths[block.parents[index]!]! + 1;
          if (here < min || here > max) mask[index] = 0;
        }
      },
    };
  },

  duplicate({ duplicate }: With<"duplicate">, at: string): FilterStep {
    if (typeof duplicate !== "boolean") throw invalid(at, "must be true or false");
    return {
      cost: 20,
      narrow({ duplicates }, block, mask) {
        const known = duplicates();
        for (let index = 0; index < block.count; index++) {
          const isOne =
            (block.modes[index]! & TYPE.mask) === TYPE.file &&
            known.has(linkKey(block.parents[index]!, block.numbers[index]!));
          if (isOne !== duplicate) mask[index] = 0;
        }
      },
    };
  },
};

const KINDS: readonly NodeKind[] = [
  "dir",
  "file",
  "link",
  "fifo",
  "socket",
  "block_device",
  "character_device",
  "other",
];

/** A separate loop avoids a function call for each of millions of nodes. */
function inRange(column: "sizes" | "times", min: number, max: number): FilterStep {
  return {
    cost: 1,
    narrow(_, block, mask) {
      const values = block[column];
      for (let index = 0; index < block.count; index++)
        if (values[index]! < min || values[index]! > max) mask[index] = 0;
    },
  };
}

/** Returns the last name of a path pattern. It is matched first, so that few paths need to be built. */
function lastName(pattern: string): string | undefined {
  const last = pattern.slice(pattern.lastIndexOf("/") + 1);
  // With **, braces, or a class that may contain a slash, the end of the pattern can match more than one name.
  return last === "" || last.includes("**") || /[{}[\]\\]/.test(pattern) ? undefined : last;
}

function each(cost: number, keeps: (block: EntryBlock, index: number) => boolean): FilterStep {
  return {
    cost,
    narrow(_, block, mask) {
      for (let index = 0; index < block.count; index++) if (mask[index] === 1 && !keeps(block, index)) mask[index] = 0;
    },
  };
}

function ownerStep(member: "uid" | "gid", wanted: number): FilterStep {
  return {
    cost: 1,
    narrow({ columns }, block, mask) {
      const fits = Uint8Array.from(columns.owners, (owner) => (owner[member] === wanted ? 1 : 0));
      for (let index = 0; index < block.count; index++) if (fits[block.owners[index]!] !== 1) mask[index] = 0;
    },
  };
}

/**
 * Builds each directory path once, from the root down. It does not recurse, because trees can be deeper than the call
 * stack.
 */
export function dirPaths({ dirs }: IndexColumns): (id: number) => string {
  const known = new Map<number, string>([[ROOT_ID, ""]]);
  const nameText = (id: number): string =>
    Buffer.from(dirs.names.subarray(dirs.nameEnds[id - 1]!, dirs.nameEnds[id]!)).toString("utf8");
  return (id) => {
    const missing: number[] = [];
    for (let at = id; !known.has(at); at = dirs.parents[at]!) missing.push(at);
    for (const one of missing.reverse()) known.set(one, `${known.get(dirs.parents[one]!)!}${nameText(one)}/`);
    return known.get(id)!;
  };
}

const sum = (steps: readonly FilterStep[]): number => steps.reduce((all, { cost }) => all + cost, 0);

function list(value: unknown, at: string): FileFilter[] {
  if (Array.isArray(value) && value.length > 0) return value as FileFilter[];
  throw invalid(at, "must be a list with at least one filter");
}

function text(value: unknown, at: string): string {
  if (typeof value === "string" && value !== "") return value;
  throw invalid(at, "must be a string");
}

function whole(value: unknown, at: string): number {
  if (Number.isInteger(value) && (value as number) >= 0) return value as number;
  throw invalid(at, "must be a whole number");
}

function range(value: { min?: number; max?: number } | undefined, at: string): { min: number; max: number } {
  onlyMembers(value, ["min", "max"], at);
  const { min, max } = value ?? {};
  for (const [name, one] of [["min", min] as const, ["max", max] as const])
    if (one !== undefined && !(typeof one === "number" && one >= 0))
      throw invalid(`${at}.${name}`, "must be a number, at least 0");
  if (min === undefined && max === undefined) throw invalid(at, "must have min, max or both");
  return { min: min ?? 0, max: max ?? Number.POSITIVE_INFINITY };
}

/** Refuses unknown fields instead of ignoring them. */
function onlyMembers(value: unknown, names: readonly string[], at: string): void {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  const other = isObject ? Object.keys(value).find((name) => !names.includes(name)) : undefined;
  if (!isObject || other !== undefined) throw invalid(at, `must be an object with ${names.join(" or ")}`);
}

function instant(value: unknown, at: string): number {
  const found = typeof value === "string" ? (parseInstant(value) ?? parseDay(value)) : undefined;
  if (found !== undefined) return found;
  throw invalid(at, "must be a date or an RFC 3339 time, e.g. 2019-01-01 or 2019-01-01T00:00:00Z");
}

function pattern<T>(at: string, compile: () => T): T {
  try {
    return compile();
  } catch (error) {
    if (error instanceof PdppError)
      throw new PdppError("invalid_filter", error.message, { ...error.details, param: at });
    throw error;
  }
}

function invalid(at: string, reason: string): PdppError {
  return new PdppError("invalid_filter", `${at}: ${reason}`, {
    param: at,
    next_step:
      'Write it like {"and":[{"name":"*.pdf"},{"size":{"min":1000000}},{"modified":{"before":"2020-01-01"}}]}.',
  });
}
