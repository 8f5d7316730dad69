// Reads the declaration of a stream, with its JSON Schema, in one call.
import type { StreamMetadata } from "../../../../contract/schema-document.ts";
import type { Visit } from "../../owner-page.ts";
import type { StreamPlace } from "./addresses.ts";

/** Includes the source's name. */
export async function describe(
  { look }: Pick<Visit, "look">,
  place: StreamPlace,
): Promise<{ metadata: StreamMetadata; source: string }> {
  const { connectors } = await look("schema", { ...place, detail: "full" });
  const { display_name, streams } = connectors[0]!;
  return { metadata: streams[0] as StreamMetadata, source: display_name };
}
