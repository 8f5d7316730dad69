// The request for a grant, before it is resolved.
import { z } from "zod";
import { filePowers, rootNames } from "./file-access.ts";
import { EXPIRY_MAX_SECONDS, NAME_MAX } from "./limits.ts";
import { recordFilter } from "./record-filter.ts";
import { timestamp } from "./timestamp.ts";

const selection = z.strictObject({
  connection_id: z.string(),
  /** Absent means every stream of the connection. */
  stream: z.string().optional(),
  fields: z.array(z.string()).min(1).optional(),
  view: z.string().optional(),
  since: timestamp.optional(),
  until: timestamp.optional(),
  /** Allowed only together with `stream`. */
  record_filter: recordFilter.optional(),
  resources: z.array(z.string()).min(1).optional(),
});
const selections = z.array(selection);

/** The body of `POST /v1/grants` and `pdpp grants issue`. The engine resolves it against the existing data. */
export const grantRequest = z
  .strictObject({
    /** Grants everything that exists now. */
    all: z.boolean().optional(),
    selections: selections.optional(),
    /** A grant for the files lens. If absent, `roots` means every existing root and `may` means every power. */
    files: z.strictObject({ roots: rootNames.optional(), may: filePowers.optional() }).optional(),
    client_name: z.string().min(1).max(NAME_MAX).optional(),
    purpose_description: z.string().max(2000).optional(),
    access_mode: z.enum(["single_use", "continuous"]).optional(),
    expires_in_seconds: z.int().min(1).max(EXPIRY_MAX_SECONDS).optional(),
  })
  .refine(({ all, selections }) => !(all && selections), {
    path: ["selections"],
    message: "specify either selections or all, not both; all covers everything",
  })
  .refine(({ all, selections, files }) => files === undefined || !(all || selections), {
    path: ["files"],
    message:
      "a grant is either for files or for records: remove the files field, or remove the all and selections fields",
  });
const editedSelection = selection.extend({
  fields: selection.shape.fields.nullable(),
  since: selection.shape.since.nullable(),
  until: selection.shape.until.nullable(),
  record_filter: selection.shape.record_filter.nullable(),
  resources: selection.shape.resources.nullable(),
});

/** The changes made by `PATCH /v1/grants/{id}` and `pdpp grants edit`. Omitted fields stay unchanged. */
export const grantEdit = z.strictObject({
  id: z.string().min(1).max(NAME_MAX),
  /**
   * All streams that the grant reads from now on. A stream that the grant already reads keeps every limit that its
   * selection omits; null removes a limit.
   */
  selections: z.array(editedSelection).min(1).optional(),
  /** Only for a grant on the files lens. */
  may: filePowers.optional(),
  /** Counted from now; null means that the grant never expires. */
  expires_in_seconds: z.int().min(1).max(EXPIRY_MAX_SECONDS).nullable().optional(),
});
export type GrantSelection = z.infer<typeof selection>;
export type EditedSelection = z.infer<typeof editedSelection>;
export type GrantEdit = z.infer<typeof grantEdit>;
export type GrantRequest = z.infer<typeof grantRequest>;
