// The format of handles in responses; handle.ts formats and parses them.
import { z } from "zod";

export const recordHandle = z
  .string()
  .regex(/^[^/:]+\/[^/:]+:[^/]+$/)
  .meta({ description: "CONNECTION/STREAM:ID, each segment percent-encoded" });

export const exportHandle = z
  .string()
  .regex(/^pdpp:\/\/export\/[\w-]+$/)
  .meta({ description: "pdpp://export/SEALED: a query to export" });

export const windowHandle = z
  .string()
  .regex(/^pdpp:\/\/field-window\/[^/?]+\/[^/?]+\/[^/?]+\?field=/)
  .meta({ description: "pdpp://field-window/CONNECTION/STREAM/ID?field=FIELD and the position in it" });
