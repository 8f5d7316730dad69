// Rows of one page that share a name: for each, the shortest end of its path that is unique among them (S-19).

/** A deleted node has neither. */
type NamedRow = { name: string; path?: string } | { missing: true };

/** In the order of the rows; undefined if the name is enough. */
export function distinguishingPaths(rows: readonly NamedRow[]): (string | undefined)[] {
  const paths = rows.map((row) => ("missing" in row ? undefined : row.path));
  return paths.map((path) => {
    if (path === undefined) return undefined;
    const name = path.slice(path.lastIndexOf("/"));
    const others = paths.filter((other) => other !== undefined && other !== path && other.endsWith(name));
    return others.length === 0 ? undefined : shortestEnd(path, others as string[]);
  });
}

function shortestEnd(path: string, others: readonly string[]): string {
  for (let at = path.lastIndexOf("/") - 1; at > 0; at = path.lastIndexOf("/", at) - 1) {
    const slash = path.lastIndexOf("/", at);
    if (slash > 0 && !others.some((other) => other.endsWith(path.slice(slash)))) return path.slice(slash + 1);
  }
  return path;
}
