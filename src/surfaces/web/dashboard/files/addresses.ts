// Dashboard addresses for files, their bytes and lists.
import { type Pairs, withPairs } from "../explore/addresses.ts";

export const FILES = "/dashboard/files";

export const indexAddress = (indexId: string, pairs: Pairs = []): string =>
  withPairs(`${FILES}/${encodeURIComponent(indexId)}`, pairs);

export const rootAddress = (rootId: string): string => `${FILES}/roots/${encodeURIComponent(rootId)}`;

const API = "/dashboard/api";

export const downloadAddress = (indexId: string, nodeId: string): string =>
  `${API}/indexes/${encodeURIComponent(indexId)}/nodes/${encodeURIComponent(nodeId)}/download`;

export const setExportAddress = (selectionId: string, format: "csv" | "jsonl"): string =>
  `${API}/resource-sets/${encodeURIComponent(selectionId)}/entries?format=${format}`;
