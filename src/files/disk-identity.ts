// A file or directory as its disk knows it, under whatever path. Imports nothing, because every scanner process loads it.
import type { Stats } from "node:fs";

export const identityOf = ({ dev, ino }: Pick<Stats, "dev" | "ino">): string => `${dev}:${ino}`;
