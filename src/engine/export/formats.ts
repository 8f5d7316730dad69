// The media type of each export format.
import type { ExportFormat } from "../../contract/read.ts";

export const MEDIA_TYPES: Record<ExportFormat, string> = {
  jsonl: "application/x-ndjson; charset=utf-8",
  csv: "text/csv; charset=utf-8; header=present",
  parquet: "application/vnd.apache.parquet",
};
