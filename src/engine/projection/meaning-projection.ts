// Tracks which passages of records have vectors and which still need them, following the change feed at the speed of
// the embedding model.

import type { JsonObject } from "../../contract/record.ts";
import type { SearchModelRead } from "../../contract/search-model.ts";
import type { PassageBatch, VectorsKept } from "../../contract/search-model-request.ts";
import { lowerBound } from "../../core/binary-search.ts";
import type { StreamShape } from "../../core/scope.ts";
import { recordText } from "../../core/search/field-text.ts";
import { passagesOf } from "../../core/search/passages.ts";
import type { FeedRow, ReadView } from "../../store/store.ts";
import type { Catalog } from "../catalog.ts";
import type { SearchModel } from "../meaning/search-model.ts";
import type { SearchIndex } from "./search/search-index.ts";
import type { SearchShape } from "./search/types.ts";
import type { Vectors } from "./search/vectors/vectors.ts";

export interface MeaningProjectionOptions {
  vectors: Vectors;
  index: SearchIndex;
  shapeOf: (stream: StreamShape | undefined) => SearchShape | undefined;
  /** Tells the index which snapshot to read. */
  use: (view: ReadView, catalog: Catalog) => void;
}

/** How many feed rows one call reads. */
const ROWS = 500;
/** How many passages are embedded before their vectors are saved. Unsaved vectors may be lost if the process stops. */
const UNSAVED = 1000;

type PassageRecord = PassageBatch["records"][number];

export class MeaningProjection {
  readonly #vectors: Vectors;
  readonly #index: SearchIndex;
  readonly #shapeOf: MeaningProjectionOptions["shapeOf"];
  readonly #use: MeaningProjectionOptions["use"];
  /** True if records were changed or deleted since old vectors were last removed. */
  #stale = true;
  #unsaved = 0;

  constructor({ vectors, index, shapeOf, use }: MeaningProjectionOptions) {
    this.#vectors = vectors;
    this.#index = index;
    this.#shapeOf = shapeOf;
    this.#use = use;
  }

  /** Returns true if a search can use this model. */
  isBegun({ id }: SearchModel): Promise<boolean> {
    return this.#index.inTurn(async () => {
      await this.#vectors.use(id);
      return this.#vectors.isBegun;
    });
  }

  /** Returns the next records in the feed with passages that have no vector. */
  async wanted(view: ReadView, catalog: Catalog, model: SearchModel, limit: number): Promise<PassageBatch> {
    this.#use(view, catalog);
    const version = await view.version();
    const { id, url, name } = model;
    const batch = await this.#index.inTurn(async () => {
      await this.#vectors.use(id);
      this.#vectors.begin();
      this.#vectors.compareShapes(this.#shapes(catalog));
      return this.#walk(view, catalog, version, limit);
    });
    if (!batch.more && batch.records.length === 0) await this.#settle(version);
    return { model: { id, url, name }, ...batch };
  }

  async keep(view: ReadView, catalog: Catalog, { model, through, dimensions, records }: VectorsKept): Promise<void> {
    this.#use(view, catalog);
    await this.#index.inTurn(async () => {
      await this.#vectors.use(model);
      const read = records.map(({ version, passages }) => ({
        version,
        passages: passages.map(({ vector, ...place }) => ({ ...place, vector: decoded(vector) })),
      }));
      if (read.length > 0) await this.#vectors.add(read, dimensions, through);
      else this.#vectors.skipTo(through);
      this.#unsaved += read.reduce((sum, { passages }) => sum + passages.length, 0);
      if (this.#unsaved < UNSAVED) return;
      this.#unsaved = 0;
      await this.#vectors.save();
    });
  }

  async progress(view: ReadView, catalog: Catalog, { id }: SearchModel): Promise<SearchModelRead["progress"]> {
    this.#use(view, catalog);
    const version = await view.version();
    return this.#index.onVersions(version, async (versions) => {
      await this.#vectors.use(id);
      const { through, passages, table } = this.#vectors;
      const done = lowerBound(versions, through + 1);
      return {
        status: through >= version ? "ready" : "working",
        records: { done, total: versions.length },
        passages,
        ...(table === undefined ? {} : { dimensions: table.dimensions }),
      };
    });
  }

  /** Removes all vectors when there is no model any more. */
  forget(): Promise<void> {
    return this.#index.inTurn(() => this.#vectors.forget());
  }

  flush(): Promise<void> {
    return this.#index.inTurn(() => this.#vectors.save());
  }

  /** Removes the vectors of deleted records and of earlier versions from the store too. */
  async #settle(version: number): Promise<void> {
    if (!this.#stale) return;
    this.#stale = false;
    await this.#index.onVersions(version, async (versions) => {
      await this.#vectors.sweep((one) => versions[lowerBound(versions, one)] === one);
      await this.#vectors.save();
    });
  }

  async #walk(view: ReadView, catalog: Catalog, version: number, limit: number) {
    const after = this.#vectors.through;
    const rows = await view.allChanges(after, version, ROWS);
    const records: PassageRecord[] = [];
    let passages = 0;
    for (const [index, row] of rows.entries()) {
      if (row.born < row.version) this.#stale = true;
      const found = this.#passagesIn(catalog, row);
      if (found.length === 0 || this.#vectors.has(row.version, found)) continue;
      records.push({ version: row.version, passages: found });
      passages += found.length;
      if (passages >= limit)
        return { records, through: row.version, more: index < rows.length - 1 || row.version < version };
    }
    const through = rows.length < ROWS ? version : rows.at(-1)!.version;
    // There is nothing to embed here, so continue.
    if (records.length === 0) this.#vectors.skipTo(through);
    return { records, through, more: through < version };
  }

  #passagesIn(catalog: Catalog, { streamNo, data }: FeedRow): PassageRecord["passages"] {
    const shape = data === null ? undefined : this.#shapeOf(catalog.byNo.get(streamNo));
    if (shape === undefined) return [];
    const values = JSON.parse(data!) as JsonObject;
    return shape.fields.flatMap((field) => {
      const text = recordText(values, field) ?? "";
      return passagesOf(text).map(({ start, end }) => ({
        field: field.name,
        start,
        end,
        text: text.slice(start, end),
      }));
    });
  }

  #shapes(catalog: Catalog): Map<number, string> {
    const shapes = new Map<number, string>();
    for (const [streamNo, stream] of catalog.byNo) {
      const fields = this.#shapeOf(stream)?.fields.map(({ name }) => name);
      if (fields !== undefined) shapes.set(streamNo, JSON.stringify(fields));
    }
    return shapes;
  }
}

function decoded(base64: string): Float32Array {
  const bytes = Buffer.from(base64, "base64");
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}
