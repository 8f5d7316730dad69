// Schema documents: the global index, one stream's capabilities, and its raw JSON Schema, always under a Scope.
import type { JsonSchema } from "../contract/declaration.ts";
import type { Identifiers } from "../contract/me.ts";
import type {
  Extent,
  SchemaConnector,
  SchemaDocument,
  StreamIndexRow,
  StreamMetadata,
} from "../contract/schema-document.ts";
import { expansionsOf, fieldCapability, visibleColumns, visibleFields } from "./capabilities.ts";
import { canonicalJson } from "./cursor.ts";
import { formatInstant, parseDay, parseInstant } from "./instant.ts";
import { rolesOf, visibleRoles } from "./roles.ts";
import type { Scope, ScopeRow } from "./scope.ts";

/** Our extensions to Core 0.1.0, stated in the document itself. */
const EXTENSIONS = {
  "https://pdpp.dev/extensions/grant-scoped-query":
    "A caller under a grant can filter, sort, aggregate and expand within what the grant covers.",
} as const;

export function streamMetadata(scope: Scope, rows: readonly ScopeRow[], withSchema: boolean): StreamMetadata {
  const row = rows[0]!;
  const { declaration, connectorKey } = row.stream;
  const fields = visibleFields(row);
  const shown = new Set(fields);
  const expansions = expansionsOf(scope, row);
  const { time } = row;
  return {
    object: "stream_metadata",
    name: declaration.name,
    connector_key: connectorKey,
    ...(declaration.description === undefined ? {} : { description: declaration.description }),
    ...(declaration.display?.label === undefined ? {} : { label: declaration.display.label }),
    ...kindOf(declaration.schema, shown),
    semantics: declaration.semantics,
    primary_key: declaration.primary_key,
    ...(declaration.cursor_field !== undefined && shown.has(declaration.cursor_field)
      ? { cursor_field: declaration.cursor_field }
      : {}),
    ...(declaration.consent_time_field !== undefined && shown.has(declaration.consent_time_field)
      ? { consent_time_field: declaration.consent_time_field }
      : {}),
    ...(time === undefined
      ? {}
      : {
          time_constraint: {
            field: time.field,
            ...(time.since === undefined ? {} : { since: formatInstant(time.since) }),
            ...(time.until === undefined ? {} : { until: formatInstant(time.until) }),
          },
        }),
    selection: {
      fields: declaration.selection?.fields ?? false,
      resources: declaration.selection?.resources ?? false,
    },
    views: (declaration.views ?? [])
      .map((view) => ({ ...view, fields: view.fields.filter((name) => shown.has(name)) }))
      .filter((view) => view.fields.length > 0),
    relationships: expansions.map(({ name, stream, cardinality }) => ({ name, stream, cardinality })),
    field_capabilities: Object.fromEntries(visibleColumns(row).map((name) => [name, fieldCapability(row, name)])),
    aggregations: { count: declaration.query?.aggregations?.count !== false },
    expand_capabilities: expansions.map(({ foreignKey: _key, target: _target, ...capability }) => capability),
    granted_connections: grantedConnections(rows),
    ...(withSchema ? { schema: grantedSchema(declaration.schema, shown) } : {}),
  };
}

function kindOf(schema: JsonSchema, shown: ReadonlySet<string>): Pick<StreamMetadata, "kind" | "roles"> {
  const roles = rolesOf(schema);
  if (roles === undefined) return {};
  const { kind, fields } = visibleRoles(roles, shown);
  return { kind, roles: fields };
}

function grantedSchema(schema: JsonSchema, shown: ReadonlySet<string>): JsonSchema {
  const properties = Object.entries(schema.properties ?? {}).filter(([name]) => shown.has(name));
  // Other keywords (anyOf, if, dependentRequired …) may mention hidden fields; types and required fields are enough.
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    ...(schema.required === undefined ? {} : { required: schema.required.filter((name) => shown.has(name)) }),
    ...definitionsFor(schema, Object.fromEntries(properties)),
  };
}

/**
 * Returns only the definitions that the shown fields refer to, because the definition of a hidden field could reveal
 * what it is.
 */
function definitionsFor(schema: JsonSchema, shown: Record<string, JsonSchema>): Pick<JsonSchema, "$defs"> {
  const reached = new Set<string>();
  const follow = (part: unknown): void => {
    for (const [, name] of JSON.stringify(part).matchAll(/"\$ref":"#\/\$defs\/([^"/]+)"/g)) {
      if (name === undefined || reached.has(name) || schema.$defs?.[name] === undefined) continue;
      reached.add(name);
      follow(schema.$defs[name]);
    }
  };
  follow(shown);
  const definitions = [...reached].map((name) => [name, schema.$defs![name]!] as const);
  return definitions.length === 0 ? {} : { $defs: Object.fromEntries(definitions) };
}

export interface SchemaRequest {
  stream?: string;
  detail: "compact" | "full";
}

/** The content of a schema document apart from declarations and grants. */
export interface SchemaFacts {
  extents: ReadonlyMap<ScopeRow, Extent>;
  me?: Identifiers;
}

export function schemaDocument(
  scope: Scope,
  rows: readonly ScopeRow[],
  { stream, detail }: SchemaRequest,
  { extents, me }: SchemaFacts,
): SchemaDocument {
  const connectors = [...Map.groupBy(rows, (row) => row.stream.connectorKey)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([connectorKey, members]): SchemaConnector => {
      const streams =
        stream === undefined ? indexRows(members, extents) : capabilitySets(scope, members, detail === "full", extents);
      return {
        object: "connector",
        source: members[0]!.stream.source,
        connector_key: connectorKey,
        display_name: members[0]!.stream.sourceName,
        stream_count: streams.length,
        streams,
      };
    });
  return {
    object: "schema",
    detail: stream === undefined ? "compact" : detail === "full" ? "full" : "stream",
    bearer: scope.bearer,
    ...(me === undefined ? {} : { me }),
    extensions: EXTENSIONS,
    connectors,
    connector_count: connectors.length,
    stream_count: connectors.reduce((sum, connector) => sum + connector.stream_count, 0),
  };
}

function indexRows(rows: readonly ScopeRow[], extents: SchemaFacts["extents"]): StreamIndexRow[] {
  return [...Map.groupBy(rows, (row) => row.stream.name)].map(([name, members]) => {
    const { display, schema } = members[0]!.stream.declaration;
    const kind = rolesOf(schema)?.kind;
    return {
      name,
      ...(display?.label === undefined ? {} : { label: display.label }),
      ...(kind === undefined ? {} : { kind }),
      ...extentOf(members, extents),
      granted_connections: grantedConnections(members),
    };
  });
}

const grantedConnections = (rows: readonly ScopeRow[]): StreamIndexRow["granted_connections"] =>
  rows.map(({ stream }) => ({ connection_id: stream.connectionId, display_name: stream.displayName }));

/** Returns one entry per distinct set of capabilities, each with all its connections (E-10). */
function capabilitySets(
  scope: Scope,
  rows: readonly ScopeRow[],
  withSchema: boolean,
  extents: SchemaFacts["extents"],
): StreamMetadata[] {
  const alike = Map.groupBy(rows, (row) => {
    const { granted_connections: _connections, ...rest } = streamMetadata(scope, [row], false);
    return canonicalJson(rest);
  });
  return [...alike.values()].map((members) => ({
    ...streamMetadata(scope, members, withSchema),
    ...extentOf(members, extents),
  }));
}

/**
 * Returns the combined extent of several connections. Two grants on the same stream may show the same records, so only
 * the larger count is used.
 */
function extentOf(rows: readonly ScopeRow[], extents: SchemaFacts["extents"]): Extent {
  const counts = new Map<number, number>();
  let span: Extent["time_span"];
  for (const row of rows) {
    const { record_count = 0, time_span } = extents.get(row) ?? {};
    const { streamNo } = row.stream;
    counts.set(streamNo, Math.max(counts.get(streamNo) ?? 0, record_count));
    if (time_span === undefined) continue;
    span = span === undefined ? time_span : { ...span, ...outer(span, time_span) };
  }
  const record_count = [...counts.values()].reduce((sum, own) => sum + own, 0);
  return { record_count, ...(span === undefined ? {} : { time_span: span }) };
}

type Span = { first: string; last: string };

const instantOf = (text: string): number => parseInstant(text) ?? parseDay(text) ?? 0;

const outer = (one: Span, other: Span): Span => ({
  first: instantOf(other.first) < instantOf(one.first) ? other.first : one.first,
  last: instantOf(other.last) > instantOf(one.last) ? other.last : one.last,
});
