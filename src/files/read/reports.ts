// Whole-tree reports: files by type and by age.
import type { AgeShare, TypeShare } from "../../contract/files.ts";
import { formatInstant } from "../../core/instant.ts";
import { TYPE } from "../leaf.ts";
import { typeOfExtension } from "../mime.ts";
import { extensionsOf, type IndexColumns } from "./columns.ts";
import { counts, eachMatch, type FindRequest } from "./find.ts";

type EntryScope = Pick<FindRequest, "filter" | "under">;
type DuplicateNodes = () => ReadonlySet<number>;

/** Returns the type with the most bytes first. */
export function typeShares(columns: IndexColumns, within: EntryScope, duplicates: DuplicateNodes): TypeShare[] {
  const files: number[] = [];
  const sizes: number[] = [];
  eachMatch(columns, within, duplicates, (block, mask) => {
    const codes = extensionsOf(columns, block);
    for (let index = 0; index < block.count; index++) {
      if (mask[index] === 0 || (block.modes[index]! & TYPE.mask) !== TYPE.file) continue;
      const code = codes[index]!;
      files[code] = (files[code] ?? 0) + 1;
      if (counts(columns, block, index)) sizes[code] = (sizes[code] ?? 0) + block.sizes[index]!;
    }
  });
  const shares = new Map<string, TypeShare & { largest: Map<string, number> }>();
  for (const [code, extension] of columns.extensions.text.entries()) {
    if (files[code] === undefined) continue;
    const type = typeOfExtension(extension);
    const share = shares.get(type) ?? { type, extensions: [], files: 0, size: 0, largest: new Map() };
    share.files += files[code];
    share.size += sizes[code] ?? 0;
    if (extension !== "") share.largest.set(extension, sizes[code] ?? 0);
    shares.set(type, share);
  }
  return [...shares.values()]
    .sort((one, other) => other.size - one.size || other.files - one.files)
    .map(({ largest, ...share }) => ({
      ...share,
      extensions: [...largest]
        .sort(([, one], [, other]) => other - one)
        .slice(0, EXTENSIONS_SHOWN)
        .map(([one]) => one),
    }));
}

const EXTENSIONS_SHOWN = 8;
const DAY = 86_400_000;

/** Ages in days. */
const AGES = [
  [1, "a day"],
  [7, "a week"],
  [30, "a month"],
  [90, "three months"],
  [365, "a year"],
  [730, "two years"],
  [1826, "five years"],
  [3652, "ten years"],
] as const;

export function ageShares(
  columns: IndexColumns,
  within: EntryScope,
  duplicates: DuplicateNodes,
  now: number,
): AgeShare[] {
  const bounds = AGES.map(([days]) => now - days * DAY);
  const shares: AgeShare[] = [
    { after: formatInstant(now), label: "in the future", files: 0, size: 0 },
    ...AGES.map(([, label], index) => ({
      after: formatInstant(bounds[index]!),
      before: formatInstant(index === 0 ? now : bounds[index - 1]!),
      label: `within ${label}`,
      files: 0,
      size: 0,
    })),
    { before: formatInstant(bounds.at(-1)!), label: `older than ${AGES.at(-1)![1]}`, files: 0, size: 0 },
  ];
  eachMatch(columns, within, duplicates, (block, mask) => {
    for (let index = 0; index < block.count; index++) {
      if (mask[index] === 0 || (block.modes[index]! & TYPE.mask) !== TYPE.file) continue;
      const time = block.times[index]!;
      let place = time >= now ? 0 : 1;
      if (place === 1) while (place <= bounds.length && time < bounds[place - 1]!) place++;
      const share = shares[place]!;
      share.files++;
      if (counts(columns, block, index)) share.size += block.sizes[index]!;
    }
  });
  return shares;
}
