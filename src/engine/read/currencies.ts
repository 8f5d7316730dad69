// The currencies of an amount of money. Sums, averages and extremes are computed for each currency separately.
import type { AggregateQuery } from "../../contract/read.ts";
import type { Predicate } from "../../core/filter.ts";
import { guessedCurrencyFields } from "../../core/guesses.ts";
import { compilePlan } from "../../core/plan.ts";
import { fieldWith, rolesOf } from "../../core/roles.ts";
import type { ScopeRow } from "../../core/scope.ts";
import type { ReadContext } from "./context.ts";
import { selectionFor } from "./records.ts";

const MONEY_METRICS = ["sum", "avg", "min", "max"];

/**
 * Returns each currency with the predicate for its records, or one entry without a currency if the field is not an
 * amount of money.
 */
export async function currenciesOf(
  context: ReadContext,
  row: ScopeRow,
  where: readonly Predicate[],
  { metric, field, group_by }: AggregateQuery,
): Promise<[string | null | undefined, Predicate[]][]> {
  const currency = MONEY_METRICS.includes(metric) ? currencyField(row, field!) : undefined;
  if (group_by !== undefined && group_by === currency) return [[undefined, []]];
  if (currency === undefined) return [[undefined, []]];
  const plan = compilePlan(row);
  const columns = await context.columns(plan);
  const { groups = [] } = await columns.aggregate(selectionFor(plan, where), {
    metric: "count",
    groupBy: currency,
    orderBy: "key",
    limit: Number.MAX_SAFE_INTEGER,
  });
  return groups.map(({ key }) => [
    key as string | null,
    [
      key === null
        ? { field: currency, op: "exists", value: false }
        : ({ field: currency, op: "eq", value: key } satisfies Predicate),
    ],
  ]);
}

/**
 * An amount's currency field: the field with the role `currency`, or the field of that name next to it. It is used only
 * if the caller may see it. If it is hidden, each connection's amounts are added up as one sum.
 */
function currencyField(row: ScopeRow, amount: string): string | undefined {
  const properties = row.stream.declaration.schema.properties ?? {};
  const roles = rolesOf(row.stream.declaration.schema);
  const declared = roles?.fields.amount?.includes(amount) ? fieldWith(roles, "currency") : undefined;
  const found = declared ?? guessedCurrencyFields(amount).find((name) => Object.hasOwn(properties, name));
  if (found === undefined || row.stream.fields.get(found)?.column !== "string") return undefined;
  return (row.fields?.has(found) ?? true) ? found : undefined;
}

/** True if a query is about money according to its stream's roles. Field names alone would only be a guess. */
export const isMoney = ({ stream }: ScopeRow, { metric, field }: AggregateQuery): boolean =>
  MONEY_METRICS.includes(metric) && (rolesOf(stream.declaration.schema)?.fields.amount ?? []).includes(field!);
