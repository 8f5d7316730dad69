// The columns of a table export: who the record is, then the fields that this reader may see.

import { visibleFields } from "../../core/capabilities.ts";
import type { Plan } from "../../core/plan.ts";

export interface ExportColumn {
  /** Unique in the file. */
  name: string;
  /** Of the record's data; absent: one of the record's own members. */
  field?: string;
  /** JSON Schema type and format, as declared. */
  type: string;
  format?: string;
}

const OWN: readonly ExportColumn[] = [
  { name: "connection_id", type: "string" },
  { name: "stream", type: "string" },
  { name: "id", type: "string" },
  { name: "emitted_at", type: "string", format: "date-time" },
];

/** Members of the data that no other column holds, as JSON: nothing is left out in silence. */
export const OTHER_FIELDS = "other_fields";

export function exportColumns(plan: Plan): ExportColumn[] {
  const declared = visibleFields(plan.row).filter((name) => plan.fields?.has(name) ?? true);
  // A field that a grant shows and the declaration no longer names is still in the data.
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
