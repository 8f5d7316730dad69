// The columns of a table export: the record's identity, then the fields that the reader may see.

import { visibleFields } from "../../core/capabilities.ts";
import type { Plan } from "../../core/plan.ts";

export interface ExportColumn {
  /** Unique within the file. */
  name: string;
  /** A field of the record's data. Absent for one of the record's own properties. */
  field?: string;
  /** The declared JSON Schema type and format. */
  type: string;
  format?: string;
}

const OWN: readonly ExportColumn[] = [
  { name: "connection_id", type: "string" },
  { name: "stream", type: "string" },
  { name: "id", type: "string" },
  { name: "emitted_at", type: "string", format: "date-time" },
];

/** Data fields without a column of their own, as JSON, so that nothing is silently omitted. */
export const OTHER_FIELDS = "other_fields";

export function exportColumns(plan: Plan): ExportColumn[] {
  const declared = visibleFields(plan.row).filter((name) => plan.fields?.has(name) ?? true);
  // A granted field that is no longer declared may still be in the data.
  const names = [...new Set([...declared, ...(plan.fields ?? [])])];
  const taken = new Set([...OWN.map((column) => column.name), OTHER_FIELDS]);
  const fields = names.map((field): ExportColumn => {
    let name = field;
    while (taken.has(name)) name = `data.${name}`;
    taken.add(name);
    const { type = "any", format } = plan.row.stream.fields.get(field) ?? {};
    return { name, field, type, ...(format === undefined ? {} : { format }) };
  });
  return [...OWN, ...fields];
}
