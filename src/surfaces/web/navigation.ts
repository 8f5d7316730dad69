// The navigation of the dashboard.
import { raw } from "hono/html";
import type { Layout } from "./layout.ts";

const icon = (path: string) =>
  raw(`<svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" focusable="false"><path d="${path}"/></svg>`);

const PLACES = [
  { under: "home", label: "Timeline", href: "/dashboard", icon: icon("M3 9.500 10 4l7 5.500V16H12v-4H8v4H3z") },
  {
    under: "explore",
    label: "Explore",
    href: "/dashboard/explore",
    icon: icon("M13 13l4 4M14 8.500a5.500 5.500 0 1 1-11 0 5.500 5.500 0 0 1 11 0z"),
  },
  {
    under: "people",
    label: "People",
    href: "/dashboard/people",
    icon: icon("M10 9.500a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM4 16.500c0-3 2.700-4.500 6-4.500s6 1.500 6 4.500"),
  },
  {
    under: "map",
    label: "Map",
    href: "/dashboard/map",
    icon: icon(
      "M10 17.500S4.500 12.300 4.500 8.200a5.500 5.500 0 0 1 11 0c0 4.100-5.500 9.300-5.500 9.300zM10 10.200a2 2 0 1 0 0-4 2 2 0 0 0 0 4z",
    ),
  },
  {
    under: "connections",
    label: "Connections",
    href: "/dashboard/connections",
    icon: icon(
      "M4 6c0-1.500 2.700-2.500 6-2.500S16 4.500 16 6s-2.700 2.500-6 2.500S4 7.500 4 6zm0 0v8c0 1.500 2.700 2.500 6 2.500s6-1 6-2.500V6M4 10c0 1.500 2.700 2.500 6 2.500s6-1 6-2.500",
    ),
  },
  {
    under: "files",
    label: "Files",
    href: "/dashboard/files",
    icon: icon("M2.500 15.500v-11h5l2 2h8v9zM2.500 9h15"),
  },
  {
    under: "import",
    label: "Import",
    href: "/dashboard/import",
    icon: icon("M10 3v9m-3.500-3.500L10 12l3.500-3.500M3.500 13v3.500h13V13"),
  },
  {
    under: "apps",
    label: "Apps",
    href: "/dashboard/apps",
    icon: icon("M3.500 3.500h5v5h-5zm8 0h5v5h-5zm-8 8h5v5h-5zm8 0h5v5h-5z"),
  },
  {
    under: "activity",
    label: "Activity",
    href: "/dashboard/activity",
    icon: icon("M2.500 10.500h3.500l2.500-6 3.500 11 2.500-5h3"),
  },
  {
    under: "settings",
    label: "Settings",
    href: "/dashboard/settings",
    icon: icon("M4 6h7m4 0h1M4 14h1m4 0h7M13 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4zm-6 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4z"),
  },
];

/** Shown apart from the rest, because a new owner needs it first. */
const CONNECT = {
  under: "connect",
  label: "Connect an AI app",
  href: "/dashboard/connect",
  icon: icon("M10 4v12M4 10h12"),
};

/** `hasMachine` is true if files on the server's machine may be opened. */
export function navigation(under: string, hasMachine: boolean): NonNullable<Layout["nav"]> {
  const places = hasMachine ? PLACES : PLACES.filter((place) => place.under !== "files");
  return [...places, { ...CONNECT, primary: true }].map(({ under: own, ...place }) => ({
    ...place,
    current: own === under,
  }));
}

/** Returns the link back from a failed page. */
export function placeOf(under: string): { label: string; href: string } {
  const { label, href } = [...PLACES, CONNECT].find((place) => place.under === under) ?? PLACES[0]!;
  return { label, href };
}
