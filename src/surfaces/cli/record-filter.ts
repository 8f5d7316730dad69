// --filter of `pdpp grants`: FIELD=VALUE, repeated for several values of the same field.
import type { RecordFilter } from "../../contract/record-filter.ts";
import { type OptionValues, UsageError } from "./command.ts";

export function recordFilterIn(values: OptionValues): RecordFilter | undefined {
  if (values.filter === undefined) return undefined;
  const pairs = [values.filter].flat().map((given) => {
    const [, field, value] = /^([^=]+)=(.+)$/s.exec(String(given)) ?? [];
    if (field === undefined || value === undefined)
      throw new UsageError(`--filter must be FIELD=VALUE, not ${JSON.stringify(given)}`);
    return { field, value };
  });
  const { field } = pairs[0]!;
  const other = pairs.find((pair) => pair.field !== field);
  if (other !== undefined) throw new UsageError(`--filter takes one field, not both ${field} and ${other.field}`);
  return { field, values: pairs.map(({ value }) => value) };
}
