// Lists as files: CSV for spreadsheets, JSON lines for programs. All pages are written one after another.

import type { JsonValue } from "../../contract/record.ts";
import { csvLine } from "../../engine/export/csv.ts";
import { MEDIA_TYPES } from "../../engine/export/formats.ts";
import type { ConnectedRoot } from "../../files/shell/connected-roots.ts";
import type { RowFormat } from "../http/file-answer.ts";

interface ReportRow {
  cells: readonly JsonValue[];
  item: object;
}

export interface ReportRows {
  root: ConnectedRoot;
  /** The file name without its extension. */
  name: string;
  header: readonly string[];
  pages: AsyncGenerator<ReportRow[]>;
}

/** The columns of a CSV file. JSON lines contain the item unchanged. */
export type ReportColumns<T> = Readonly<Record<string, (item: T) => JsonValue | undefined>>;

export function rowsOf<T extends object>(
  about: Pick<ReportRows, "root" | "name">,
  columns: ReportColumns<T>,
  pages: AsyncIterable<readonly T[]>,
  limit = Number.POSITIVE_INFINITY,
): ReportRows {
  const cellsOf = Object.values(columns);
  async function* made(): AsyncGenerator<ReportRow[]> {
    let left = limit;
    for await (const page of pages) {
      yield page.slice(0, left).map((item) => ({ item, cells: cellsOf.map((cell) => cell(item) ?? null) }));
      left -= page.length;
      if (left <= 0) return;
    }
  }
  return { ...about, header: Object.keys(columns), pages: made() };
}

/** Reads all pages of a list that has a cursor. */
export async function* allPages<Page extends { nextCursor?: string }, T>(
  ask: (cursor: { cursor?: string }) => Promise<Page>,
  items: (page: Page) => readonly T[],
): AsyncGenerator<readonly T[]> {
  let cursor: string | undefined;
  do {
    const page = await ask(cursor === undefined ? {} : { cursor });
    yield items(page);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}

export async function* onePage<T>(items: readonly T[]): AsyncGenerator<readonly T[]> {
  yield items;
}

export const headText = ({ header }: ReportRows, format: RowFormat): string =>
  format === "csv" ? csvLine(header) : "";

export const pageText = (page: readonly ReportRow[], format: RowFormat): string =>
  page.map(({ cells, item }) => (format === "csv" ? csvLine(cells) : `${JSON.stringify(item)}\n`)).join("");

export const rowHeaders = ({ name }: ReportRows, format: RowFormat): Record<string, string> => ({
  "Content-Type": MEDIA_TYPES[format],
  "Content-Disposition": `attachment; filename="${name}.${format}"`,
});
