// Counts the positions in a selection per grid cell. The result is bounded by what a map can show, not by the number of
// rows.
import { worldX, worldY } from "../../../core/mercator.ts";
import type { Keys } from "./column.ts";
import { matchIn, matchingRows, planSelection, type Selection } from "./selection.ts";
import type { FoldView } from "./stream-fold.ts";
import { stringAt } from "./string-table.ts";

export interface CellsRequest {
  latitude: string;
  longitude: string;
  /** The field that decides which row of a cell is the newest. */
  time?: string;
  /** The side of a cell as a fraction of the world's side. */
  size: number;
}

export interface Cell {
  column: number;
  row: number;
  count: number;
  /** Sums of the positions on the square world map. */
  x: number;
  y: number;
  newest: { id: string; version: number; at: number };
}

export async function cells(view: FoldView, selection: Selection, request: CellsRequest): Promise<Cell[]> {
  const { latitude, longitude, time, size } = request;
  const plan = planSelection(selection);
  const found = new Map<string, Cell>();
  for (const part of view.parts) {
    const match = await matchIn(part, plan);
    if (!match) continue;
    const { segment } = part;
    const [north, east] = [await segment.column(latitude).get(), await segment.column(longitude).get()];
    const times = time === undefined ? undefined : await segment.column(time).get();
    const [ids, versions] = [await segment.ids.get(), await segment.versions.get()];
    for (const rows of matchingRows(part, match)) {
      for (const row of rows) {
        const [x, y] = [worldX(east.keys[row]!), worldY(north.keys[row]!)];
        // A row that lacks either number has no position.
        if (Number.isNaN(x + y)) continue;
        const [at, column, line] = [timeAt(times?.keys, row), Math.floor(x / size), Math.floor(y / size)];
        const key = `${column} ${line}`;
        let cell = found.get(key);
        if (cell === undefined) {
          cell = { column, row: line, count: 0, x: 0, y: 0, newest: { id: "", version: 0, at: -Infinity } };
          found.set(key, cell);
        }
        cell.count++;
        cell.x += x;
        cell.y += y;
        if (cell.count === 1 || at > cell.newest.at)
          cell.newest = { id: stringAt(ids, row), version: versions[row]!, at };
      }
    }
  }
  return [...found.values()];
}

function timeAt(keys: Keys | undefined, row: number): number {
  const at = keys?.[row];
  return at === undefined || Number.isNaN(at) ? Number.NEGATIVE_INFINITY : at;
}
