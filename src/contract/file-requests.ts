// Arguments of calls to the files lens over HTTP: in the path, the query string or the body.
import { z } from "zod";
import { FILE_PAGE } from "./limits.ts";

const handle = z.string().min(1).max(200);
const name = z.string().min(1).max(200);
const limit = z.int().min(1).max(FILE_PAGE.max).optional();
const cursor = z.string().min(1).max(8192).optional();
const nodeIds = z.array(handle).max(1000);
/** The filter compiler validates this, because it can report where the error is. */
const filter = z.record(z.string(), z.unknown());
/** The filter as JSON, for use in a URL. */
const filterText = z.string().max(12_000).optional();
/** `json` returns pages; `csv` and `jsonl` return a file with everything, or with the first `limit` items. */
const listFormat = z.enum(["json", "csv", "jsonl"]).optional();
const explain = z.enum(["json", "explain"]).optional();
const anyFormat = z.enum(["json", "csv", "jsonl", "explain"]).optional();

export const nothing = z.strictObject({});
export const rootById = z.strictObject({ rootId: handle });
export const sessionById = z.strictObject({ sessionId: handle });
export const indexById = z.strictObject({ indexId: handle });
export const nodeById = z.strictObject({ indexId: handle, nodeId: handle });
export const jobById = z.strictObject({ jobId: handle });
export const setById = z.strictObject({ selectionId: handle });

export const rootsQuery = z.strictObject({ limit, cursor });
/** A directory by its path, or by the bytes of its path if they are not text. */
export const rootAdd = z.strictObject({
  path: z.string().min(1).max(65_536).optional(),
  pathBytes: z.base64().max(100_000).optional(),
  name: z.string().max(100).optional(),
  crossMounts: z.boolean().optional(),
});
export const rootChange = z.strictObject({ rootId: handle, crossMounts: z.boolean() });

export const indexStart = z.strictObject({
  /** A rootId, or the connection_id or path of a root. */
  root: z.string().min(1).max(65_536),
  depthLimit: z.int().min(1).max(10_000).optional(),
  followSymlinks: z.boolean().optional(),
  ignore: z.array(z.string().min(1).max(4096)).max(100).optional(),
  verify: z.boolean().optional(),
});
export const scanStart = z.strictObject({ indexId: handle, verify: z.boolean().optional() });
export const digestStart = z.strictObject({ indexId: handle, minSize: z.int().min(1).optional() });

const order = z.enum(["name", "size", "time"]).optional();

export const treeQuery = z.strictObject({
  indexId: handle,
  /** Defaults to the root. */
  parent: handle.optional(),
  order,
  descending: z.boolean().optional(),
  limit,
  cursor,
  format: listFormat,
});

const find = {
  indexId: handle,
  under: handle.optional(),
  order: z.enum(["tree", "name", "size", "time"]).optional(),
  descending: z.boolean().optional(),
  limit,
  cursor,
  format: anyFormat,
};
export const findQuery = z.strictObject({ ...find, filter: filterText });
export const findBody = z.strictObject({ ...find, filter: filter.optional() });

const report = { indexId: handle, limit, cursor, format: anyFormat };
export const reportQuery = z.strictObject(report);
export const reportUnder = z.strictObject({ ...report, under: handle.optional() });
export const shareQuery = z.strictObject({
  indexId: handle,
  under: handle.optional(),
  filter: filterText,
  format: anyFormat,
});
/** `from` defaults to the scan before `to`, and `to` defaults to the last scan. */
export const growthQuery = z.strictObject({
  indexId: handle,
  under: handle.optional(),
  from: z.int().min(1).optional(),
  to: z.int().min(1).optional(),
  limit,
  format: anyFormat,
});
export const scansQuery = z.strictObject({ indexId: handle, format: listFormat });

/** Creates a selection from nodeIds or from other selections. */
export const setCreate = z.strictObject({
  name,
  indexId: handle.optional(),
  nodeIds: nodeIds.optional(),
  combine: z.enum(["union", "intersection", "difference"]).optional(),
  selectionIds: z.array(handle).max(20).optional(),
});
export const setsQuery = z.strictObject({ indexId: handle.optional(), limit, cursor });
export const setPatch = z.strictObject({
  selectionId: handle,
  add: nodeIds.optional(),
  remove: nodeIds.optional(),
  name: name.optional(),
});
export const setEntriesQuery = z.strictObject({ selectionId: handle, limit, cursor, format: listFormat });

export const queryCreate = z.strictObject({
  indexId: handle,
  filter,
  name: name.optional(),
  under: handle.optional(),
  format: explain,
});
export const queriesQuery = z.strictObject({ limit, cursor });
export const queryById = z.strictObject({ queryId: handle });
export const queryExplained = z.strictObject({ queryId: handle, format: explain });
