// Keeps the memory of all columns within a budget. The least recently used units are dropped first, and loaded again
// when needed.
import type { Awaitable } from "../../../store/store.ts";

interface Evictable {
  release(): void;
}

export class UnitCache {
  /**
   * Ordered by last use, with the least recently used first. Contains only units that can be loaded or derived again.
   */
  readonly #evictable = new Set<Evictable>();
  readonly #budget: number;
  /** The bytes of all units, evictable or not. */
  bytes = 0;

  constructor(budget: number) {
    this.#budget = budget;
  }

  get overBudget(): boolean {
    return this.bytes > this.#budget;
  }

  touch(unit: Evictable): void {
    if (this.#evictable.delete(unit)) this.#evictable.add(unit);
  }

  admit(unit: Evictable): void {
    this.#evictable.add(unit);
    this.trim(unit);
  }

  /** Drops units until the budget is met, or nothing more can be dropped. */
  trim(except?: Evictable): void {
    for (const oldest of this.#evictable) {
      if (!this.overBudget) return;
      if (oldest !== except) oldest.release();
    }
  }

  forget(unit: Evictable): void {
    this.#evictable.delete(unit);
  }
}

/** A value that may or may not be in memory, such as a column, an id table or a permutation. */
export class Unit<T> {
  readonly #cache: UnitCache;
  readonly #load: () => Awaitable<T>;
  readonly #measure: (value: T) => number;
  #value: T | undefined;
  #loading: Promise<T> | undefined;
  #bytes = 0;
  #retired = false;

  constructor(cache: UnitCache, load: () => Awaitable<T>, measure: (value: T) => number) {
    this.#cache = cache;
    this.#load = load;
    this.#measure = measure;
  }

  /** Returns the value if it is in memory. */
  peek(): T | undefined {
    this.#cache.touch(this);
    return this.#value;
  }

  async get(): Promise<T> {
    const value = this.peek();
    if (value !== undefined) return value;
    this.#loading ??= this.#fetch();
    return this.#loading;
  }

  async #fetch(): Promise<T> {
    try {
      const value = await this.#load();
      // A query that began earlier may still read a retired segment. Units that it loads are not cached.
      if (!this.#retired) {
        this.pin(value);
        this.unpin();
      }
      return value;
    } finally {
      this.#loading = undefined;
    }
  }

  /** Keeps a value that exists nowhere else yet. */
  pin(value: T): void {
    this.#value = value;
    this.#bytes = this.#measure(value);
    this.#cache.bytes += this.#bytes;
  }

  /** Allows the value to be dropped, because it can be loaded again. */
  unpin(): void {
    if (this.#value !== undefined) this.#cache.admit(this);
  }

  release(): void {
    this.#cache.forget(this);
    this.#cache.bytes -= this.#bytes;
    this.#bytes = 0;
    this.#value = undefined;
  }

  /**
   * Stops counting this unit towards the budget, but keeps its value, because a running query may hold the only copy.
   */
  retire(): void {
    this.#retired = true;
    this.#cache.forget(this);
    this.#cache.bytes -= this.#bytes;
    this.#bytes = 0;
  }
}
