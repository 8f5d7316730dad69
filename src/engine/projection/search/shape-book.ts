// Stores the shape that each stream was indexed with, and detects changes.
import type { SearchShape, ShapeLookup } from "./types.ts";

interface Known {
  /** Also undefined after a restart, until `changed` has compared signatures. */
  shape: SearchShape | undefined;
  signature: string;
}

export class ShapeBook {
  private known = new Map<number, Known>();
  private lookup: ShapeLookup;
  private edition: () => unknown;
  /** The last edition in which every stream had the shape it was indexed with. */
  private agreed: unknown;

  /**
   * `edition` must change whenever a shape may have changed. Without it, all shapes are compared before each search.
   */
  constructor(lookup: ShapeLookup, edition: () => unknown = () => undefined) {
    this.lookup = lookup;
    this.edition = edition;
  }

  /** The shape that a stream is indexed with. A new stream gets its current one. */
  shapeOf(streamNo: number): SearchShape | undefined {
    const known = this.known.get(streamNo);
    return known ? known.shape : this.learn(streamNo);
  }

  /** Stores the current shape of a stream that is being reindexed. */
  learn(streamNo: number): SearchShape | undefined {
    const shape = this.lookup(streamNo);
    this.known.set(streamNo, { shape, signature: signatureOf(shape) });
    return shape;
  }

  /** Streams whose current shape differs from the one they were indexed with. Call this before folding. */
  changed(): number[] {
    const edition = this.edition();
    if (edition !== undefined && edition === this.agreed) return [];
    const changed: number[] = [];
    for (const [streamNo, known] of this.known) {
      const shape = this.lookup(streamNo);
      if (shape !== undefined && shape === known.shape) continue;
      if (signatureOf(shape) === known.signature) known.shape = shape;
      else changed.push(streamNo);
    }
    this.agreed = changed.length === 0 ? edition : undefined;
    return changed;
  }

  entries(): [number, string][] {
    return [...this.known].map(([streamNo, { signature }]) => [streamNo, signature]);
  }

  restore(entries: readonly [number, string][]): void {
    this.agreed = undefined;
    this.known = new Map(entries.map(([streamNo, signature]) => [streamNo, { shape: undefined, signature }]));
  }
}

function signatureOf(shape: SearchShape | undefined): string {
  if (!shape) return "none";
  return JSON.stringify([
    shape.fields.map(({ name, weight, list }) => [
      name,
      weight,
      ...(list === undefined ? [] : [list.field, list.member]),
    ]),
    shape.timeField,
    shape.consentTimeField,
  ]);
}
