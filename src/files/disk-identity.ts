// Identifies a file or directory by its device and inode, whatever its path. Has no runtime imports, because every
// scanner process loads this file.
import type { Stats } from "node:fs";

export const identityOf = ({ dev, ino }: Pick<Stats, "dev" | "ino">): string => `${dev}:${ino}`;
