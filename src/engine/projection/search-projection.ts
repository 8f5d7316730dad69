// The search index as the engine uses it. It reads the current snapshot's feed, and looks up which fields each stream
// declares as text.

import { fieldWith, rolesOf } from "../../core/roles.ts";
import { type Scope, type ScopeRow, type StreamShape, showsColumn } from "../../core/scope.ts";
import { searchedField } from "../../core/search/field-text.ts";
import type { SearchExpression } from "../../core/search/query.ts";
import type { ReadView, Segments } from "../../store/store.ts";
import type { Catalog } from "../catalog.ts";
import { MeaningProjection } from "./meaning-projection.ts";
import type { MeaningRequest } from "./search/blend.ts";
import type { SearchRequest } from "./search/run-search.ts";
import { compileScope, type SearchScope } from "./search/scope.ts";
import { SearchIndex } from "./search/search-index.ts";
import type { KnownVersions, SearchAnswer, SearchPosition, SearchShape } from "./search/types.ts";
import { Vectors } from "./search/vectors/vectors.ts";
import { searchSegments } from "./search-segments.ts";

/**
 * A word in the first text field, which is the title by convention, counts more than a word in later fields. A
 * message's text is not a title.
 */
const WEIGHTS = { first: 2.5, other: 1 } as const;
const NOTHING: KnownVersions = { through: Number.POSITIVE_INFINITY, versions: new Set() };
/** How many compiled scopes are cached for each caller. A scope can be everything, one connection or a few streams. */
const SCOPES_KEPT = 16;

export interface SearchAsk {
  query: SearchExpression;
  rows: readonly ScopeRow[];
  limit: number;
  order: "relevance" | "newest";
  position?: SearchPosition;
  months: boolean;
  ends?: boolean;
  admitted?: SearchRequest["admitted"];
  texts?: SearchRequest["texts"];
  /**
   * For each row with a filter, the versions of the records that pass it. This must be the same object in every call.
   */
  filtered?: ReadonlyMap<ScopeRow, KnownVersions>;
  /** If set, also searches by meaning with this model. */
  meaning?: MeaningRequest & { model: string };
}

export interface SearchProjectionOptions {
  segments: Segments;
  /** False in a second process on the same home. */
  persist: boolean;
  memoryBytes: number;
}

export class SearchProjection {
  readonly persists: boolean;
  readonly meaning: MeaningProjection;
  readonly #index: SearchIndex;
  readonly #vectors: Vectors;
  readonly #byRows = new WeakMap<readonly ScopeRow[], SearchScope>();
  readonly #scopes = new WeakMap<Scope, { rows: readonly ScopeRow[]; compiled: SearchScope }[]>();
  #view: ReadView | undefined;
  #catalog: Catalog | undefined;

  constructor({ segments, persist, memoryBytes }: SearchProjectionOptions) {
    this.persists = persist;
    this.#index = new SearchIndex({
      memory: memoryBytes,
      store: searchSegments(segments, "search", persist),
      shapes: (streamNo) => shapeOf(this.#catalog?.byNo.get(streamNo)),
      edition: () => this.#catalog,
      feed: {
        changes: (after, upTo, limit, streamNo) =>
          streamNo === undefined
            ? this.#view!.allChanges(after, upTo, limit)
            : this.#view!.changes(streamNo, after, upTo, limit),
      },
    });
    this.#vectors = new Vectors(searchSegments(segments, "vectors", persist));
    this.meaning = new MeaningProjection({
      vectors: this.#vectors,
      index: this.#index,
      shapeOf,
      use: (view, catalog) => this.#use(view, catalog),
    });
  }

  /** The result is exact for the snapshot, because new changes are indexed first. */
  async search(view: ReadView, catalog: Catalog, scope: Scope, ask: SearchAsk): Promise<SearchAnswer> {
    this.#use(view, catalog);
    const { rows, meaning, filtered, ...request } = ask;
    return this.#index.search(
      { ...request, scope: this.#compiled(scope, rows, filtered) },
      await view.version(),
      meaning && { ...meaning, vectors: this.#vectors },
    );
  }

  /** Indexes up to `maxRows` changes. Returns true if more are left. */
  async catchUp(view: ReadView, catalog: Catalog, maxRows: number): Promise<boolean> {
    this.#use(view, catalog);
    return !(await this.#index.catchUp(await view.version(), maxRows));
  }

  async flush(view: ReadView, catalog: Catalog): Promise<void> {
    if (!this.persists) return;
    this.#use(view, catalog);
    await this.#index.flush();
    await this.meaning.flush();
  }

  #use(view: ReadView, catalog: Catalog): void {
    this.#view = view;
    this.#catalog = catalog;
  }

  #compiled(scope: Scope, rows: readonly ScopeRow[], filtered: SearchAsk["filtered"]): SearchScope {
    const same = this.#byRows.get(rows);
    if (same !== undefined) return same;
    const kept = this.#scopes.get(scope) ?? [];
    this.#scopes.set(scope, kept);
    const known = kept.find((one) => sameRows(one.rows, rows));
    if (known) return known.compiled;
    const compiled = compileScope(
      rows.map((row) => ({
        streamNo: row.stream.streamNo,
        key: `${row.stream.connectionId}/${row.stream.name}`,
        fields: searchedNames(row),
        time: row.time,
        ids: row.resources,
        // A row with a filter shows nothing until its records have been compared with the filter.
        ...(row.filter === undefined ? {} : { versions: filtered?.get(row) ?? NOTHING }),
      })),
    );
    if (kept.length >= SCOPES_KEPT) kept.length = 0;
    kept.push({ rows, compiled });
    this.#byRows.set(rows, compiled);
    return compiled;
  }
}

/** A Scope keeps the same row objects for as long as it exists. */
function sameRows(one: readonly ScopeRow[], other: readonly ScopeRow[]): boolean {
  return one.length === other.length && one.every((row, index) => row === other[index]);
}

/** The granted fields, and the fields inside granted lists. Null if everything is granted. */
function searchedNames(row: ScopeRow): ReadonlySet<string> | null {
  if (row.fields === null) return null;
  const members = [...row.stream.lists.keys()].filter((name) => showsColumn(row, name));
  return new Set([...row.fields, ...members]);
}

const shapes = new WeakMap<StreamShape, SearchShape>();

function shapeOf(stream: StreamShape | undefined): SearchShape | undefined {
  const fields = stream?.declaration.query?.search?.lexical_fields ?? [];
  if (stream === undefined || fields.length === 0) return undefined;
  let shape = shapes.get(stream);
  if (shape === undefined) {
    const { consent_time_field, schema } = stream.declaration;
    const bodies = rolesOf(schema)?.fields.text ?? [];
    const isTitle = (name: string, index: number) => index === 0 && fields.length > 1 && !bodies.includes(name);
    shape = {
      fields: fields.map((name, index) => ({
        ...searchedField(stream.lists, name),
        weight: isTitle(name, index) ? WEIGHTS.first : WEIGHTS.other,
      })),
      timeField: authoredField(stream),
      ...(consent_time_field === undefined ? {} : { consentTimeField: consent_time_field }),
    };
    shapes.set(stream, shape);
  }
  return shape;
}

/**
 * The field with the time of the record: the field with that role; otherwise the field that orders the stream, if it is
 * a time; otherwise the consent time field.
 */
function authoredField(stream: StreamShape): string | undefined {
  const { cursor_field, consent_time_field, schema } = stream.declaration;
  const roles = rolesOf(schema);
  return [roles && fieldWith(roles, "time"), cursor_field, consent_time_field].find((name) => {
    const kind = name === undefined ? undefined : stream.fields.get(name)?.column;
    return kind === "instant" || kind === "day";
  });
}
