// The data of an index page, which is also its JSON form.

import type {
  AgeShare,
  Duplicates,
  FileIndex,
  FileNode,
  FileNodeDetail,
  FileScan,
  FoundNodes,
  Growth,
  TypeShare,
} from "../../../../contract/files.ts";
import type { OwnerRoot, OwnerSavedQuery, OwnerSet, OwnerSetEntry } from "../../../../contract/owner-file-lens.ts";
import type { Pairs } from "../explore/addresses.ts";
import type { IndexState, Tab } from "./state.ts";

/** A rectangle of the map. A folder includes some of its content. */
export interface MapNode {
  nodeId: string;
  name: string;
  kind: FileNode["kind"];
  size: number;
  files?: number;
  inside?: MapNode[];
  /** The part that is not drawn. */
  rest?: MapRest;
}

export interface MapRest {
  entries: number;
  size: number;
}

export interface BrowsedFolder {
  map: { nodes: MapNode[]; rest?: MapRest };
  entries: FileNode[];
  total: number;
  nextCursor?: string;
}

export interface IndexPanels {
  browse?: BrowsedFolder;
  file?: { sha256?: string };
  largest?: { entries: FileNode[]; nextCursor?: string };
  types?: TypeShare[];
  ages?: AgeShare[];
  growth?: { scans: FileScan[]; growth?: Growth };
  copies?: Duplicates;
  find?: { found?: FoundNodes; queries: (OwnerSavedQuery & { app?: string })[] };
  sets?: {
    sets: (OwnerSet & { app?: string })[];
    open?: { set: OwnerSet; entries: OwnerSetEntry[]; nextCursor?: string };
  };
}

export interface IndexView extends IndexPanels {
  root: OwnerRoot & { index: FileIndex };
  at: FileNodeDetail;
  tab: Tab;
  state: IndexState;
  done?: string;
  notes: string[];
  /** The path of the owner's home, for commands. */
  home?: string;
}

/** The choices that every link keeps: the folder and the view. */
export const viewPairs = ({ at, tab, root }: Pick<IndexView, "at" | "tab" | "root">): Pairs => [
  ...(at.nodeId === root.index.rootNodeId ? [] : ([["at", at.nodeId]] as [string, string][])),
  ...(tab === "browse" ? [] : ([["tab", tab]] as [string, string][])),
];
