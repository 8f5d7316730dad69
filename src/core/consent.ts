// Consent: what to offer for a request, and which grants the owner's choice creates. Granted ⊆ requested ⊆ declared.
import { hash } from "node:crypto";
import type { ConsentChoice, ConsentOffer, ConsentQuery, OfferedStream } from "../contract/consent.ts";
import { type DataAccess, type RequestedStream, selectionPreset } from "../contract/data-access.ts";
import type { SourceDeclaration, StreamDeclaration } from "../contract/declaration.ts";
import type { GrantedStream } from "../contract/grant.ts";
import type { RecordFilter } from "../contract/record-filter.ts";
import { type ApprovedTerms, approvedTerms, durationsOf, purposesOf, quoted, refused } from "./consent-terms.ts";
import { rangesOf } from "./fields.ts";
import { type GrantLabels, grantedReads } from "./grant-words.ts";
import { parseInstant } from "./instant.ts";
import { fieldPresets } from "./kind-words.ts";
import { filterFieldsOf, resolvedFilter } from "./record-filter.ts";
import { rolesOf, visibleRoles } from "./roles.ts";
import type { StreamShape } from "./scope.ts";
import { alwaysOf, partsOf } from "./stream-parts.ts";

/** A line in the offer, including the parts that are not sent to the page. */
interface OfferLine {
  /** The index of the detail that requested this line; null if the app requested nothing in particular. */
  detail: number | null;
  shape: StreamShape;
  /** The requirement that this line can meet. One line must be chosen for each requirement. */
  requirement?: string;
  preselected: boolean;
  fields: string[];
  always: ReadonlySet<string>;
  since?: string;
  until?: string;
  filter?: RecordFilter;
  resources?: string[];
}

interface ResolvedOffer {
  lines: OfferLine[];
  problems: string[];
  blocked: boolean;
}

/** A grant to create: everything that was chosen on one connection for one purpose. */
export interface ApprovedGrant {
  shape: StreamShape;
  detail: DataAccess | undefined;
  streams: GrantedStream[];
}

export interface Approved extends ApprovedTerms {
  grants: ApprovedGrant[];
}

type DeclaredView = NonNullable<StreamDeclaration["views"]>[number];
type Sources = readonly { declaration: SourceDeclaration }[];

export function consentOffer(query: ConsentQuery, streams: readonly StreamShape[], sources: Sources): ConsentOffer {
  const { lines, problems, blocked } = resolve(query.details, streams, sources);
  const offered = lines.map(offeredStream);
  const details = query.details ?? [];
  const shown = {
    streams: offered,
    problems,
    blocked,
    purposes: purposesOf(details),
    claims: details.flatMap(({ client_claims = {} }) =>
      Object.entries(client_claims).map(([label, value]) => ({ label, text: String(value) })),
    ),
    retention: details.flatMap(({ retention }) =>
      retention === undefined ? [] : [typeof retention === "string" ? retention : JSON.stringify(retention)],
    ),
    durations: durationsOf(details),
  };
  // Includes the version of each declaration, because a new description can change the meaning without changing the
  // shape.
  const versions = sources.map(({ declaration }) => [declaration.source.id, declaration.declaration_version]);
  const digest = hash("sha256", JSON.stringify([query.client, query.details ?? null, shown, versions]), "base64url");
  return {
    digest,
    ...shown,
    asks: query.details === undefined ? [] : grantedReads(lines.map(askedStream), labelsOf(streams)),
  };
}

const labelsOf = (streams: readonly StreamShape[]): GrantLabels => ({
  connection: (id) => streams.find(({ connectionId }) => connectionId === id)?.displayName,
  streams: (id) => streams.filter(({ connectionId }) => connectionId === id),
});

const askedStream = ({ shape, fields, since, until, filter, resources }: OfferLine): GrantedStream => ({
  name: shape.name,
  instance_ids: [shape.connectionId],
  fields,
  ...(since === undefined && until === undefined
    ? {}
    : {
        time_constraint: {
          field: shape.declaration.consent_time_field!,
          ...(since && { since }),
          ...(until && { until }),
        },
      }),
  ...(filter === undefined ? {} : { record_filter: filter }),
  ...(resources === undefined ? {} : { resources }),
});

function resolve(
  details: readonly DataAccess[] | undefined,
  streams: readonly StreamShape[],
  sources: Sources,
): ResolvedOffer {
  if (details === undefined) {
    const lines = streams.map((shape): OfferLine => {
      return { detail: null, shape, preselected: false, fields: [...shape.fields.keys()], always: alwaysOf(shape) };
    });
    return { lines, problems: [], blocked: false };
  }
  const resolved: ResolvedOffer = { lines: [], problems: [], blocked: false };
  for (const [index, detail] of details.entries()) resolveDetail(resolved, index, detail, streams, sources);
  if (resolved.lines.length === 0) resolved.blocked = true;
  return withoutRepeats(resolved);
}

function resolveDetail(
  resolved: ResolvedOffer,
  index: number,
  detail: DataAccess,
  streams: readonly StreamShape[],
  sources: Sources,
): void {
  const source = sources.find(({ declaration }) => declaration.source.id === detail.source.id);
  const asked = source === undefined ? undefined : askedStreams(detail, source.declaration);
  if (source === undefined || asked === undefined) {
    resolved.problems.push(
      source === undefined
        ? `There is no source ${quoted(detail.source.id)} here.`
        : `${source.declaration.display.name} has no preset ${quoted(detail.selection_preset ?? "")}.`,
    );
    resolved.blocked = true;
    return;
  }
  const own = streams.filter((shape) => shape.source.id === detail.source.id);
  for (const request of asked) {
    const wanted = request.name === "*" ? [...new Set(own.map((shape) => shape.name))] : [request.name];
    const found = wanted.flatMap((stream) => linesOf(index, { ...request, name: stream }, own));
    if (found.length === 0) found.push(`${source.declaration.display.name} has no ${quoted(request.name)} here.`);
    const problems = found.filter((line) => typeof line === "string");
    resolved.lines.push(...found.filter((line) => typeof line !== "string"));
    resolved.problems.push(...problems);
    if (problems.length > 0 && isRequired(request)) resolved.blocked = true;
  }
}

function askedStreams(detail: DataAccess, declaration: SourceDeclaration): RequestedStream[] | undefined {
  if (detail.streams !== undefined) return detail.streams;
  const preset = declaration.selection_presets?.find(({ id }) => id === detail.selection_preset);
  const parsed = selectionPreset.safeParse(preset);
  return parsed.success ? parsed.data.streams : undefined;
}

/** A stream is required unless the app says otherwise. */
const isRequired = ({ necessity }: RequestedStream): boolean => necessity !== "optional";

/** Returns one line, or an error, for each eligible connection. The owner chooses if there are several. */
function linesOf(detail: number, request: RequestedStream, own: readonly StreamShape[]): (OfferLine | string)[] {
  const named = own.filter((shape) => shape.name === request.name);
  const eligible = named.filter((shape) => request.instance_ids?.includes(shape.connectionId) ?? true);
  const unknown = request.instance_ids?.find((id) => !named.some((shape) => shape.connectionId === id));
  if (unknown !== undefined) return [`No connection ${quoted(unknown)} has ${quoted(request.name)}.`];
  return eligible.map((shape) => {
    const { declaration } = shape;
    const range = request.time_range;
    if (range !== undefined && declaration.consent_time_field === undefined) {
      return `${shape.name} has no dates, so it cannot be limited by time.`;
    }
    const filter = request.record_filter;
    if (filter !== undefined && !filterFieldsOf(shape).some(({ name }) => name === filter.field)) {
      return `${shape.name} cannot be limited by ${quoted(filter.field)}.`;
    }
    const wanted = wantedFields(shape, request);
    if (typeof wanted === "string") return wanted;
    const always = alwaysOf(shape);
    return {
      detail,
      shape,
      ...(isRequired(request)
        ? { requirement: `${detail}/${request.instance_ids ? shape.connectionId : ""}/${shape.name}` }
        : {}),
      preselected: isRequired(request) && (eligible.length === 1 || request.instance_ids !== undefined),
      fields: [...shape.fields.keys()].filter((field) => always.has(field) || wanted.has(field)),
      always,
      ...(range?.since === undefined ? {} : { since: range.since }),
      ...(range?.until === undefined ? {} : { until: range.until }),
      ...(filter === undefined ? {} : { filter: resolvedFilter(shape, filter) }),
      ...(request.resources === undefined ? {} : { resources: request.resources }),
    };
  });
}

function wantedFields(shape: StreamShape, { fields, view }: RequestedStream): ReadonlySet<string> | string {
  if (view !== undefined) {
    const found = shape.declaration.views?.find(({ id }) => id === view);
    return found === undefined ? `${shape.name} has no view ${quoted(view)}.` : new Set(found.fields);
  }
  const unknown = fields?.find((field) => !shape.fields.has(field));
  if (unknown !== undefined) return `${shape.name} has no field ${quoted(unknown)}.`;
  return new Set(fields ?? shape.fields.keys());
}

const lineName = ({ shape }: OfferLine): string => `${shape.connectionId}\n${shape.name}`;

/**
 * Allows each stream of a connection to be granted only once: with two grants for it, it would be unclear which one a
 * read uses.
 */
function withoutRepeats({ lines, problems, blocked }: ResolvedOffer): ResolvedOffer {
  const first = new Map<string, OfferLine>();
  const repeated = new Set<string>();
  for (const line of lines) {
    if (first.has(lineName(line))) repeated.add(`${line.shape.displayName}: ${line.shape.name} is requested twice.`);
    else first.set(lineName(line), line);
  }
  return {
    lines: [...first.values()],
    problems: [...problems, ...repeated],
    blocked: blocked || repeated.size > 0,
  };
}

const earlier = (one: string, other: string): string => (parseInstant(one)! <= parseInstant(other)! ? one : other);
const later = (one: string, other: string): string => (parseInstant(one)! >= parseInstant(other)! ? one : other);

const suggested = ({ id, label = id, fields }: DeclaredView, line: OfferLine): { label: string; fields: string[] } => ({
  label,
  fields: fields.filter((field) => line.fields.includes(field)),
});

/** Bounds are instants, so a field of calendar days cannot be compared with them. */
const timeRanges = ({ fields, declaration }: StreamShape, field: string): readonly string[] =>
  fields.get(field)?.column === "instant" ? rangesOf(declaration, field) : [];

function kindOf({ shape, fields }: OfferLine): Pick<OfferedStream, "kind" | "roles"> {
  const declared = rolesOf(shape.declaration.schema);
  if (declared === undefined) return {};
  const { kind, fields: roles } = visibleRoles(declared, new Set(fields));
  return { kind, roles };
}

function offeredStream(line: OfferLine): OfferedStream {
  const { shape } = line;
  const { display, consent_time_field, schema, views = [] } = shape.declaration;
  return {
    connection_id: shape.connectionId,
    connection_label: shape.displayName,
    connector_key: shape.connectorKey,
    source_label: shape.sourceName,
    stream: shape.name,
    label: display?.label ?? shape.name,
    ...(display?.detail === undefined ? {} : { detail: display.detail }),
    ...kindOf(line),
    required: line.requirement !== undefined,
    preselected: line.preselected,
    fields: line.fields.map((name) => {
      const { title, description } = schema.properties?.[name] ?? {};
      return {
        name,
        ...(title === undefined ? {} : { title }),
        ...(description === undefined ? {} : { description }),
        always: line.always.has(name),
      };
    }),
    presets: fieldPresets(
      { roles: rolesOf(schema), fields: partsOf(shape, line.fields) },
      views.map((view) => suggested(view, line)),
    ),
    ...(consent_time_field === undefined
      ? {}
      : { time_field: consent_time_field, time_ranges: timeRanges(shape, consent_time_field) }),
    ...(line.since === undefined ? {} : { since: line.since }),
    ...(line.until === undefined ? {} : { until: line.until }),
    filters: line.filter ? [] : filterFieldsOf(shape).map(({ name, role }) => ({ field: name, role })),
    ...(line.filter === undefined ? {} : { record_filter: line.filter }),
    ...(line.resources === undefined ? {} : { resources: line.resources.length }),
  };
}

/** Checks the owner's choice against the request: only offered items can be chosen. */
export function approve(
  query: ConsentQuery,
  choice: ConsentChoice,
  streams: readonly StreamShape[],
  sources: Sources,
): Approved {
  const { lines, blocked } = resolve(query.details, streams, sources);
  if (blocked) throw refused("the data that the app needs is not here; deny the request");
  const chosen = new Map(choice.streams.map((one) => [`${one.connection_id}\n${one.stream}`, one]));
  if (chosen.size === 0) throw refused("nothing is chosen; choose at least one stream, or deny", "streams");
  if (chosen.size < choice.streams.length) throw refused("a stream is chosen twice", "streams");
  const offered = new Map(lines.map((line) => [lineName(line), line]));
  for (const [name, { stream, fields, record_filter }] of chosen) {
    const line = offered.get(name);
    if (line === undefined) throw refused(`${stream} was not requested, so it cannot be granted here`, "streams");
    const beyond = fields?.find((field) => !line.fields.includes(field));
    if (beyond !== undefined) throw refused(`${stream}.${beyond} was not requested`, "fields");
    if (record_filter !== undefined && line.filter !== undefined) {
      throw refused(`the app asks for only some of ${stream}, which cannot be narrowed further`, "record_filter");
    }
  }
  const taken = lines.filter((line) => chosen.has(lineName(line)));
  requireAll(lines, taken);
  const details = query.details ?? [];
  const used = taken.flatMap(({ detail }) => (detail === null ? [] : [details[detail]!]));
  const terms = approvedTerms(details, used, choice);
  const grants = new Map<string, ApprovedGrant>();
  for (const line of taken) {
    const key = `${line.detail}\n${line.shape.connectionId}`;
    const detail = line.detail === null ? undefined : details[line.detail]!;
    const grant = grants.get(key) ?? { shape: line.shape, detail, streams: [] };
    grant.streams.push(grantedStream(line, chosen.get(lineName(line))!, choice));
    grants.set(key, grant);
  }
  return { grants: [...grants.values()], ...terms };
}

function requireAll(lines: readonly OfferLine[], taken: readonly OfferLine[]): void {
  const met = new Set(taken.map((line) => line.requirement));
  const missing = lines.find(({ requirement }) => requirement !== undefined && !met.has(requirement));
  if (missing !== undefined) {
    throw refused(`the app cannot work without ${missing.shape.name}; choose it, or deny`, "streams");
  }
}

function grantedStream(
  line: OfferLine,
  { fields, record_filter }: ConsentChoice["streams"][number],
  choice: ConsentChoice,
): GrantedStream {
  const { shape } = line;
  const filter = line.filter ?? (record_filter && resolvedFilter(shape, record_filter));
  const timeField = shape.declaration.consent_time_field;
  const since = tighter(line.since, choice.since, later);
  const until = tighter(line.until, choice.until, earlier);
  if ((choice.since !== undefined || choice.until !== undefined) && timeField === undefined) {
    throw refused(
      `${shape.name} has no dates, so a time limit cannot apply; leave it out, or remove the time limit`,
      "since",
    );
  }
  if (since !== undefined && until !== undefined && parseInstant(since)! >= parseInstant(until)!) {
    throw refused(`${shape.name} has nothing between ${since} and ${until}`, "until");
  }
  return {
    name: shape.name,
    instance_ids: [shape.connectionId],
    fields: line.fields.filter((field) => line.always.has(field) || fields === undefined || fields.includes(field)),
    ...(since === undefined && until === undefined
      ? {}
      : {
          time_constraint: {
            field: timeField!,
            ...(since === undefined ? {} : { since }),
            ...(until === undefined ? {} : { until }),
          },
        }),
    ...(filter === undefined ? {} : { record_filter: filter }),
    ...(line.resources === undefined ? {} : { resources: line.resources }),
  };
}

function tighter(
  one: string | undefined,
  other: string | undefined,
  pick: (one: string, other: string) => string,
): string | undefined {
  return one === undefined || other === undefined ? (one ?? other) : pick(one, other);
}
