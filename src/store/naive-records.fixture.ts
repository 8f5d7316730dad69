// Records as a list of everything that ever happened: slow, simple and therefore correct. Tests compare the stores with
// it.
import type { ScopeRow } from "../core/scope.ts";
import type { Change } from "./store.ts";

interface Happening {
  version: number;
  id: string;
  data: Record<string, unknown> | null;
  text: string | null;
  ord: string | number | null;
  time: number | null;
}

export class NaiveRecords {
  readonly start: number;
  version: number;
  readonly #history: Happening[] = [];

  constructor(version: number) {
    this.start = version;
    this.version = version;
  }

  apply(changes: readonly Change[], _now: number): number {
    let changed = 0;
    for (const { id, data, ord, time } of changes) {
      const before = this.#now(id);
      if ((before?.text ?? null) === data) continue;
      changed++;
      this.#history.push({
        version: ++this.version,
        id,
        data: data === null ? null : JSON.parse(data),
        text: data,
        ord,
        time,
      });
    }
    return changed;
  }

  live(): Happening[] {
    return this.#all().filter((one) => one.data !== null);
  }

  /** Returns ids ordered by (ord, id), with those that have no ord last. */
  ordered(descending: boolean): string[] {
    const sign = descending ? -1 : 1;
    const byId = (a: Happening, b: Happening): number => Buffer.compare(Buffer.from(a.id), Buffer.from(b.id));
    return this.live()
      .sort((a, b) => {
        if ((a.ord === null) !== (b.ord === null)) return a.ord === null ? 1 : -1;
        return sign * (Number(a.ord) - Number(b.ord) || byId(a, b));
      })
      .map((one) => one.id);
  }

  newest(): [version: number, id: string, data: string | null][] {
    return this.#all()
      .sort((a, b) => a.version - b.version)
      .map((one) => [one.version, one.id, one.text]);
  }

  /** Returns the version at which each record last changed for this reader. Omits records that the reader never saw. */
  feedOf(limits: Partial<ScopeRow>): [position: number, id: string, data: string | null][] {
    const feed: [number, string, string | null][] = [];
    for (const id of this.#ids()) {
      let shown: string | null = null;
      let position: number | undefined;
      for (const one of this.#history.filter((candidate) => candidate.id === id)) {
        const next = shownOf(limits, one);
        if (next === shown) continue;
        shown = next;
        position = one.version;
      }
      if (position !== undefined) feed.push([position, id, shown]);
    }
    return feed.sort((a, b) => a[0] - b[0]);
  }

  shownTo(limits: Partial<ScopeRow>, id: string): string | undefined {
    return shownOf(limits, this.#now(id)!) ?? undefined;
  }

  #now(id: string): Happening | undefined {
    return this.#history.findLast((one) => one.id === id);
  }

  #ids(): string[] {
    return [...new Set(this.#history.map((one) => one.id))];
  }

  #all(): Happening[] {
    return this.#ids().map((id) => this.#now(id)!);
  }
}

function shownOf({ fields, time, filter, resources }: Partial<ScopeRow>, one: Happening): string | null {
  if (one.data === null || (resources && !resources.has(one.id))) return null;
  if (filter && !filter.values.has(String(one.data[filter.field]))) return null;
  if (time && (one.time === null || one.time < (time.since ?? -Infinity) || one.time >= (time.until ?? Infinity)))
    return null;
  const entries = Object.entries(one.data).filter(([name]) => fields?.has(name) ?? true);
  return JSON.stringify(Object.fromEntries(entries));
}
