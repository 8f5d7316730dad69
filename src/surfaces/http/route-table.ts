// Finds the handler for a path. Each segment is decoded separately, so that an id can contain any character.
import { PdppError } from "../../contract/errors.ts";

export interface RouteMatch<R> {
  route: R;
  /** The decoded `{name}` segments. */
  path: Record<string, string>;
}

/** Returns undefined if no route has this path, or the allowed methods if the path exists with other methods. */
export type MatchRoute<R> = (method: string, pathname: string) => RouteMatch<R> | { allow: string } | undefined;

export function routeTable<R extends { method: string; path: string }>(routes: readonly R[]): MatchRoute<R> {
  const match = pathTable(routes);
  return (method, pathname) => {
    const found = match(pathname);
    if (found === undefined) return undefined;
    const wanted = method === "HEAD" ? "GET" : method;
    const route = found.routes.find((one) => one.method === wanted);
    if (route === undefined) return { allow: allowed(found.routes) };
    return { route, path: segmentsNamed(route.path, pathname) };
  };
}

/**
 * Returns the routes whose pattern matches a path. Patterns without `{name}` segments come first, then those with the
 * fewest.
 */
export function pathTable<R extends { path: string }>(
  routes: readonly R[],
): (pathname: string) => { pattern: string; routes: readonly R[] } | undefined {
  const byPattern = Map.groupBy(routes, ({ path }) => path);
  const bySize = Map.groupBy(
    [...byPattern]
      .map(([pattern, routes]) => ({ pattern, routes, segments: pattern.split("/") }))
      .sort((one, other) => named(one.segments) - named(other.segments)),
    ({ segments }) => segments.length,
  );
  return (pathname) => {
    const parts = pathname.split("/");
    return bySize
      .get(parts.length)
      ?.find(({ segments }) => segments.every((segment, at) => isNamed(segment) || segment === parts[at]));
  };
}

const isNamed = (segment: string): boolean => segment.startsWith("{");
const named = (segments: readonly string[]): number => segments.filter(isNamed).length;

export function segmentsNamed(pattern: string, pathname: string): Record<string, string> {
  const path: Record<string, string> = {};
  const parts = pathname.split("/");
  for (const [at, segment] of pattern.split("/").entries())
    if (isNamed(segment)) path[segment.slice(1, -1)] = decode(parts[at]!);
  return path;
}

function allowed(routes: readonly { method: string }[]): string {
  const methods = routes.map(({ method }) => method);
  return [...new Set(methods.includes("GET") ? [...methods, "HEAD"] : methods)].join(", ");
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new PdppError("invalid_path", `${JSON.stringify(segment)} is not percent-encoded UTF-8`);
  }
}
