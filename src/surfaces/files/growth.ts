// Growth between two scans: by default the last two.
import { PdppError } from "../../contract/errors.ts";
import type { FileGrowth } from "../../contract/file-report-answers.ts";
import type { FileScan, GrownDir } from "../../contract/files.ts";
import { FILE_PAGE } from "../../contract/limits.ts";
import type { FileAnswer, FileCall } from "../../files/shell/file-call.ts";
import { links } from "../../files/shell/links.ts";
import { onePage, type ReportColumns, type ReportRows, rowsOf } from "./rows.ts";

interface GrowthRequest {
  indexId: string;
  under?: string;
  from?: number;
  to?: number;
  limit?: number;
}

/** The maximum number of directories in an exported file. Nobody would read more changes than that. */
const ROWS_MAX = 200_000;

export async function growth(call: FileCall, { indexId, ...query }: GrowthRequest): Promise<FileAnswer<FileGrowth>> {
  const { root } = await call.index(indexId);
  const { files } = call.lens;
  const compared = scansOf(indexId, await files.scans(indexId), query);
  const found = await files.growth(indexId, {
    ...compared,
    under: query.under,
    limit: query.limit ?? FILE_PAGE.default,
  });
  const urls = links(call.caller.origin);
  return {
    connectionId: root.connectionId,
    records: found.dirs.length,
    answer: {
      ...found,
      dirs: found.dirs.map((dir) => ({
        ...dir,
        ...(dir.nodeId === undefined ? {} : { link: urls.tree(indexId, dir.nodeId) }),
      })),
    },
  };
}

export async function growthRows(call: FileCall, { indexId, ...query }: GrowthRequest): Promise<ReportRows> {
  const { root } = await call.index(indexId);
  const { files } = call.lens;
  const compared = scansOf(indexId, await files.scans(indexId), query);
  const { dirs } = await files.growth(indexId, { ...compared, under: query.under, limit: query.limit ?? ROWS_MAX });
  return rowsOf({ root, name: `${indexId}-growth` }, COLUMNS, onePage(dirs));
}

const COLUMNS: ReportColumns<GrownDir> = {
  nodeId: ({ nodeId }) => nodeId,
  path: ({ path }) => path,
  growth: ({ growth: by }) => by,
  sizeBefore: ({ before }) => before?.size,
  sizeAfter: ({ after }) => after?.size,
  filesBefore: ({ before }) => before?.files,
  filesAfter: ({ after }) => after?.files,
};

/** If there is only one scan, it is compared with itself and shows no growth. */
function scansOf(
  indexId: string,
  scans: readonly FileScan[],
  query: { from?: number; to?: number },
): { from: number; to: number } {
  const to = query.to ?? scans[0]?.scan;
  if (to === undefined) {
    throw new PdppError("not_found", `no scan of ${indexId} is finished yet`, {
      param: "indexId",
      next_step: `Wait for the running job (GET /api/indexes/${indexId} shows it), or start one: POST /api/indexes/${indexId}/scans.`,
    });
  }
  return { to, from: query.from ?? scans.find(({ scan }) => scan < to)?.scan ?? to };
}
