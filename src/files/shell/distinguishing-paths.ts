// For rows on one page that share a name, finds the shortest path ending that is unique among them (S-19).

/** A deleted node has neither a name nor a path. */
type NamedRow = { name: string; path?: string } | { missing: true };

/** In row order, with undefined where the name is enough. */
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
