// Granted ⊆ requested ⊆ declared, for random declarations, requests and choices. Also choices that cannot be approved.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ConsentChoice, ConsentQuery } from "../contract/consent.ts";
import {
  AI_TRAINING_PURPOSE,
  DATA_ACCESS_TYPE,
  type DataAccess,
  type RequestedStream,
} from "../contract/data-access.ts";
import type { SourceDeclaration, StreamDeclaration } from "../contract/declaration.ts";
import { PdppError } from "../contract/errors.ts";
import { type Approved, approve, consentOffer } from "./consent.ts";
import { fieldsOf } from "./fields.ts";
import { parseInstant } from "./instant.ts";
import type { StreamShape } from "./scope.ts";

const STREAMS = ["mail", "notes", "calls"];
const FIELDS = ["id", "at", "a", "b", "c"];
const DAYS = ["2024-01-01T00:00:00Z", "2024-06-01T00:00:00Z", "2025-01-01T00:00:00Z"];
const SOURCES = ["https://test.example/one", "https://test.example/two"];
const client = { client_id: "cli_1", name: "App", redirect_uri: "http://127.0.0.1/cb" };

interface DeclaredSources {
  sources: { declaration: SourceDeclaration }[];
  streams: StreamShape[];
}

const some = <T>(values: readonly T[], minLength = 0): fc.Arbitrary<T[]> =>
  fc.subarray([...values], { minLength }).map((list) => [...list]);
const maybe = <K extends string, T>(key: K, value: fc.Arbitrary<T>): fc.Arbitrary<Partial<Record<K, T>>> =>
  fc.option(value, { nil: undefined }).map((given) => (given === undefined ? {} : { [key]: given })) as never;
const all = (...parts: fc.Arbitrary<object>[]): fc.Arbitrary<object> =>
  fc.tuple(...parts).map((list) => Object.assign({}, ...list));

const declaredStream = (name: string): fc.Arbitrary<StreamDeclaration> =>
  all(
    fc.record({ fields: some(FIELDS.slice(2), 1), required: some(FIELDS.slice(2)), dated: fc.boolean() }),
    maybe("view", some(FIELDS.slice(2), 1)),
  ).map((parts) => {
    const { fields, required, dated, view } = parts as {
      fields: string[];
      required: string[];
      dated: boolean;
      view?: string[];
    };
    const names = ["id", ...(dated ? ["at"] : []), ...fields];
    return {
      name,
      semantics: "mutable_state",
      primary_key: ["id"],
      ...(dated ? { consent_time_field: "at" } : {}),
      schema: {
        type: "object",
        required: ["id", ...required.filter((field) => fields.includes(field))],
        properties: Object.fromEntries(
          names.map((field) => [field, field === "at" ? { type: "string", format: "date-time" } : { type: "string" }]),
        ),
      },
      ...(view === undefined
        ? {}
        : { views: [{ id: "card", label: "Card", fields: view.filter((one) => names.includes(one)) }] }),
    } as StreamDeclaration;
  });

const anyPlace: fc.Arbitrary<DeclaredSources> = fc
  .tuple(
    ...SOURCES.map((id) =>
      fc.record({ id: fc.constant(id), names: some(STREAMS, 1), connections: fc.integer({ min: 0, max: 3 }) }),
    ),
  )
  .chain((plans) =>
    fc.tuple(...plans.map(({ names }) => fc.tuple(...names.map(declaredStream)))).map((declared) => {
      const sources = plans.map(({ id }, n) => ({
        declaration: {
          protocol_version: "0.1.0",
          source: { kind: "connector", id },
          declaration_version: "1",
          publisher: { id: "test" },
          display: { name: `Source ${n}` },
          selection_presets: [{ id: "all", streams: declared[n]!.map(({ name }) => ({ name })) }],
          streams: declared[n],
        } as SourceDeclaration,
      }));
      const streams = plans.flatMap(({ id, connections }, n) =>
        Array.from({ length: connections }, (_, k) =>
          declared[n]!.map(
            (declaration, index): StreamShape => ({
              streamNo: n * 100 + k * 10 + index,
              name: declaration.name,
              connectionId: `cin_${n}_${k}`,
              connectorKey: `source${n}`,
              displayName: `Connection ${n} ${k}`,
              source: { kind: "connector", id },
              sourceName: `Source ${n}`,
              declaration,
              fields: fieldsOf(declaration),
              lists: new Map(),
              blobFields: new Set(),
            }),
          ),
        ).flat(),
      );
      return { sources, streams };
    }),
  );

const CONNECTIONS = ["cin_0_0", "cin_0_1", "cin_1_0", "cin_9_9"];

/** Generates mostly the first, so that many requests are approved, and sometimes the second, which may not exist. */
const mostly = <T>(usual: fc.Arbitrary<T>, unusual: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 12, arbitrary: usual }, { weight: 1, arbitrary: unusual });

const range = all(maybe("since", fc.constantFrom(...DAYS)), maybe("until", fc.constantFrom(...DAYS)));

function requested(place: DeclaredSources, { name, consent_time_field, schema, views }: StreamDeclaration, id: string) {
  const own = place.streams.filter((shape) => shape.source.id === id).map(({ connectionId }) => connectionId);
  const names = Object.keys(schema.properties ?? {});
  return all(
    fc.record({ name: mostly(fc.constant(name), fc.constantFrom("*", "films")) }),
    maybe("necessity", fc.constantFrom("required", "optional")),
    maybe(
      "instance_ids",
      own.length === 0 ? some(CONNECTIONS, 1) : mostly(some([...new Set(own)], 1), some(CONNECTIONS, 1)),
    ),
    consent_time_field === undefined
      ? mostly(fc.constant({}), fc.constant({ time_range: {} }))
      : maybe("time_range", range),
    fc.oneof(
      fc.constant({}),
      maybe("fields", mostly(some(names, 1), some(FIELDS, 1))),
      views === undefined ? fc.constant({}) : maybe("view", mostly(fc.constant("card"), fc.constant("none"))),
    ),
    maybe("resources", some(["r1", "r2", "r3"], 1)),
  ) as fc.Arbitrary<RequestedStream>;
}

function detail(place: DeclaredSources): fc.Arbitrary<DataAccess> {
  return fc.constantFrom(...place.sources).chain(({ declaration }) => {
    const { id } = declaration.source;
    const streams = some(declaration.streams, 1).chain((list) =>
      fc.tuple(...list.map((one) => requested(place, one, id))),
    );
    return all(
      fc.record({
        type: fc.constant(DATA_ACCESS_TYPE),
        source: mostly(fc.constant(id), fc.constant("https://test.example/none")).map((of) => ({
          kind: "connector",
          id: of,
        })),
        purpose_code: mostly(fc.constant("https://pdpp.dev/purpose/assistant"), fc.constant(AI_TRAINING_PURPOSE)),
        access_mode: mostly(fc.constant("continuous"), fc.constant("single_use")),
      }),
      mostly(
        streams.map((list) => ({ streams: list }) as object),
        fc.constantFrom({ selection_preset: "all" }, { selection_preset: "none" }),
      ),
    ) as fc.Arbitrary<DataAccess>;
  });
}

const query = (place: DeclaredSources): fc.Arbitrary<ConsentQuery> =>
  fc.option(fc.array(detail(place), { minLength: 1, maxLength: 2 }), { nil: undefined }).map((details) => ({
    client,
    ...(details === undefined ? {} : { details }),
  }));
const placeAndQuery = anyPlace.chain((place) => fc.tuple(fc.constant(place), query(place)));

/** Chooses mostly offered items, and sometimes a stream, a connection or a field that was not offered. */
const choiceOf = ({ streams, durations }: ReturnType<typeof consentOffer>): fc.Arbitrary<ConsentChoice> => {
  const offered = streams.map((stream) =>
    all(
      fc.constant({ connection_id: stream.connection_id, stream: stream.stream }),
      maybe("fields", some(stream.fields.map(({ name }) => name))),
    ),
  );
  const foreign = fc.record({
    connection_id: fc.constantFrom(...CONNECTIONS),
    stream: fc.constantFrom(...STREAMS),
    fields: some(FIELDS),
  });
  const mask = mostly(fc.constant(-1), fc.nat());
  const streamsOf = fc
    .tuple(
      fc.tuple(...offered),
      mask,
      mostly(
        fc.constant([] as object[]),
        foreign.map((one) => [one]),
      ),
    )
    .map(([list, bits, extra]) => [...list.filter((_, index) => (bits >> index) & 1), ...extra]);
  return all(
    fc.record({
      streams: streamsOf,
      duration: mostly(fc.constantFrom(...durations), fc.constantFrom("once", "forever")),
      ai_training: fc.boolean(),
    }),
    mostly(fc.constant({}), range),
  ) as fc.Arbitrary<ConsentChoice>;
};

const at = (instant: string | undefined, otherwise: number): number =>
  instant === undefined ? otherwise : parseInstant(instant)!;

function presetStreams(given: DataAccess, { sources }: DeclaredSources): readonly RequestedStream[] {
  if (given.streams !== undefined) return given.streams;
  const source = sources.find(({ declaration }) => declaration.source.id === given.source.id)!;
  const preset = source.declaration.selection_presets!.find(({ id }) => id === given.selection_preset)!;
  return preset.streams as RequestedStream[];
}

/**
 * Checks that every field, record and moment in the grant is in some request for that stream, and in the declaration.
 */
function holds(place: DeclaredSources, asked: ConsentQuery, choice: ConsentChoice, approved: Approved): void {
  for (const { shape, detail: of, streams } of approved.grants) {
    for (const granted of streams) {
      const declared = place.streams.find(
        (one) => one.connectionId === shape.connectionId && one.name === granted.name,
      )!;
      expect(declared).toBeDefined();
      expect(granted.instance_ids).toEqual([declared.connectionId]);
      expect(granted.fields.every((field) => declared.fields.has(field))).toBe(true);
      const always = [...declared.declaration.primary_key, ...(declared.declaration.schema.required ?? [])];
      expect(always.every((field) => granted.fields.includes(field))).toBe(true);

      const chosen = choice.streams.find(
        (one) => one.connection_id === declared.connectionId && one.stream === granted.name,
      )!;
      expect(chosen).toBeDefined();
      const ticked = chosen.fields ?? FIELDS;
      expect(granted.fields.every((field) => ticked.includes(field) || always.includes(field))).toBe(true);
      const [since, until] = [
        at(granted.time_constraint?.since, -Infinity),
        at(granted.time_constraint?.until, Infinity),
      ];
      expect(since).toBeGreaterThanOrEqual(at(choice.since, -Infinity));
      expect(until).toBeLessThanOrEqual(at(choice.until, Infinity));
      expect(since).toBeLessThan(until);
      if (of === undefined) {
        expect(asked.details).toBeUndefined();
        continue;
      }
      expect(declared.source.id).toBe(of.source.id);
      const covers = presetStreams(of, place).some((request) => {
        const view = declared.declaration.views?.find(({ id }) => id === request.view)?.fields;
        const fields = new Set([...(request.fields ?? view ?? declared.fields.keys()), ...always]);
        return (
          (request.name === "*" || request.name === granted.name) &&
          (request.instance_ids?.includes(declared.connectionId) ?? true) &&
          granted.fields.every((field) => fields.has(field)) &&
          since >= at(request.time_range?.since, -Infinity) &&
          until <= at(request.time_range?.until, Infinity) &&
          (request.resources === undefined ||
            granted.resources?.every((id) => request.resources!.includes(id)) === true)
        );
      });
      expect(covers).toBe(true);
    }
  }
}

/**
 * Checks that each stream of a connection is in at most one grant, that a grant has one purpose, and that training has
 * explicit consent.
 */
function isOrderly(approved: Approved, choice: ConsentChoice): void {
  const lines = approved.grants.flatMap(({ shape, streams }) =>
    streams.map(({ name }) => `${shape.connectionId}/${name}`),
  );
  expect(new Set(lines).size).toBe(lines.length);
  expect(approved.grants.every(({ streams }) => streams.length > 0)).toBe(true);
  if (!choice.ai_training) {
    expect(approved.grants.every(({ detail: of }) => of?.purpose_code !== AI_TRAINING_PURPOSE)).toBe(true);
  }
  expect(approved.accessMode === "single_use").toBe(choice.duration === "once");
  if (approved.grants.some(({ detail: of }) => of?.access_mode === "single_use"))
    expect(approved.accessMode).toBe("single_use");
}

describe("consent", () => {
  it("grants only what was requested, out of what is declared (granted ⊆ requested ⊆ declared)", () => {
    let approvals = 0;
    fc.assert(
      fc.property(
        placeAndQuery.chain(([place, asked]) => {
          const offer = consentOffer(asked, place.streams, place.sources);
          return fc.tuple(fc.constant(place), fc.constant(asked), choiceOf(offer));
        }),
        ([place, asked, choice]) => {
          const offer = consentOffer(asked, place.streams, place.sources);
          let approved: Approved;
          try {
            approved = approve(asked, choice, place.streams, place.sources);
          } catch (error) {
            expect(error).toBeInstanceOf(PdppError);
            expect((error as PdppError).code).toBe("invalid_request");
            return;
          }
          approvals++;
          expect(offer.blocked).toBe(false);
          holds(place, asked, choice, approved);
          isOrderly(approved, choice);
        },
      ),
      { numRuns: 3000 },
    );
    // Enough choices must be approved for the property to mean anything.
    expect(approvals).toBeGreaterThan(300);
  });

  it("preselects nothing optional, and nothing at all if the app did not say what it wants", () => {
    fc.assert(
      fc.property(placeAndQuery, ([place, asked]) => {
        const { streams } = consentOffer(asked, place.streams, place.sources);
        for (const { preselected, required } of streams) if (preselected) expect(required).toBe(true);
        if (asked.details === undefined) expect(streams.every(({ preselected }) => !preselected)).toBe(true);
      }),
    );
  });

  it("has a digest of what is shown, which changes only if the declarations or the request change", () => {
    fc.assert(
      fc.property(placeAndQuery, ([place, asked]) => {
        const { digest } = consentOffer(asked, place.streams, place.sources);
        expect(consentOffer(structuredClone(asked), place.streams, place.sources).digest).toBe(digest);
        const later = place.sources.map(({ declaration }) => ({
          declaration: { ...declaration, declaration_version: "2" },
        }));
        expect(consentOffer(asked, place.streams, later).digest).not.toBe(digest);
        const other = { ...asked, client: { ...client, redirect_uri: "https://evil.example/" } };
        expect(consentOffer(other, place.streams, place.sources).digest).not.toBe(digest);
      }),
    );
  });
});
