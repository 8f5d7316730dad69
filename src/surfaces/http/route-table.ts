// Finding the route of a request: by segments, each decoded on its own, so that an id may hold any character.
import { PdppError } from "../../contract/errors.ts";

interface Routed {
  method: string;
  /** `{name}` segments match anything. */
  path: string;
}

export interface RouteMatch<R> {
  route: R;
  /** Decoded `{name}` segments. */
  path: Record<string, string>;
}

/** undefined: no such path. Of a known path with another method: what it allows. */
export type MatchRoute<R> = (method: string, pathname: string) => RouteMatch<R> | { allow: string } | undefined;

export function routeTable<R extends Routed>(routes: readonly R[]): MatchRoute<R> {
  const table = routes.map((route) => ({ route, segments: route.path.split("/") }));
  return (method, pathname) => {
    const parts = pathname.split("/");
    const fitting = table.filter(
      ({ segments }) =>
        segments.length === parts.length &&
        segments.every((segment, index) => segment.startsWith("{") || segment === parts[index]),
    );
    if (fitting.length === 0) return undefined;
    // A path that stands there word for word is no id of its neighbour's.
    const exact = fitting.filter(({ route }) => route.path === pathname);
    const matching = exact.length > 0 ? exact : fitting;
    const wanted = method === "HEAD" ? "GET" : method;
    const found = matching.find(({ route }) => route.method === wanted);
    if (found === undefined) return { allow: allowed(matching.map(({ route }) => route.method)) };
    const path: Record<string, string> = {};
    for (const [index, segment] of found.segments.entries()) {
      if (segment.startsWith("{")) path[segment.slice(1, -1)] = decode(parts[index]!);
    }
    return { route: found.route, path };
  };
}

function allowed(methods: readonly string[]): string {
  const all = methods.includes("GET") ? [...methods, "HEAD"] : methods;
  return [...new Set(all)].join(", ");
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new PdppError("invalid_path", `${JSON.stringify(segment)} is not percent-encoded UTF-8`);
  }
}
