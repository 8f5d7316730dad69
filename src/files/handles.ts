// Handles for roots, indexes and nodes. They are short because they appear in every response, and each contains its
// index.
import { PdppError } from "../contract/errors.ts";
import { DIRECTORY, type SelectedNodes } from "../contract/files.ts";

/** A directory by its id, or an entry by its directory and its number there. */
export interface NodeRef {
  dir: number;
  /** Undefined for the directory itself. */
  number?: number;
}

export const indexHandle = (no: number): string => `ix${no}`;
export const rootHandle = (no: number): string => `root${no}`;

export const indexNo = (handle: string): number | undefined => numberAfter("ix", handle);
export const rootNo = (handle: string): number | undefined => numberAfter("root", handle);

function numberAfter(prefix: string, handle: string): number | undefined {
  const digits = handle.startsWith(prefix) ? handle.slice(prefix.length) : "";
  return /^[1-9]\d{0,8}$/.test(digits) ? Number(digits) : undefined;
}

/** n3-512 is a directory in index ix3, and n3-512.7 is a file in that directory. */
export function nodeHandle(index: number, { dir, number }: NodeRef): string {
  return number === undefined ? `n${index}-${dir}` : `n${index}-${dir}.${number}`;
}

/** Returns the nodeIds for the results of `select`. */
export function nodeHandles(indexId: string, { dirs, numbers }: Pick<SelectedNodes, "dirs" | "numbers">): string[] {
  const no = indexNo(indexId)!;
  return Array.from(dirs, (dir, at) =>
    nodeHandle(no, numbers[at] === DIRECTORY ? { dir } : { dir, number: numbers[at]! }),
  );
}

const NODE = /^n([1-9]\d{0,8})-([1-9]\d{0,9})(?:\.(0|[1-9]\d{0,8}))?$/;

export function parseNode(index: number, handle: string): NodeRef {
  const [, no, dir, number] = NODE.exec(handle) ?? [];
  if (no === undefined) {
    throw new PdppError("node_not_found", `${JSON.stringify(handle.slice(0, 60))} is not a nodeId`, {
      param: "nodeId",
      next_step: "Take a nodeId from a listing of this index; they look like n1-42 or n1-42.7.",
    });
  }
  if (Number(no) !== index) {
    throw new PdppError(
      "node_not_found",
      `${handle} belongs to the index ${indexHandle(Number(no))}, not to ${indexHandle(index)}`,
      {
        param: "nodeId",
        next_step: `Use it with the index ${indexHandle(Number(no))}, or list ${indexHandle(index)} to get its own nodeIds.`,
      },
    );
  }
  return number === undefined ? { dir: Number(dir) } : { dir: Number(dir), number: Number(number) };
}
