// /dashboard/go: every dashboard page, source, stream and person in one list. Ctrl-K searches its JSON form (V-12).
import { html } from "hono/html";
import { navigation } from "../navigation.ts";
import { ownerPage } from "../owner-page.ts";
import { ADD } from "./add/choices.ts";
import { connectionAddress, streamAddress } from "./explore/addresses.ts";
import { HELP } from "./help-view.ts";
import { personAddress } from "./people/addresses.ts";
import { SIGN_IN_SETTINGS } from "./second-factor-view.ts";

export interface Destination {
  label: string;
  /** "Page", "Source", "Person", or the name of the connection that a stream belongs to. */
  kind: string;
  href: string;
}

const PEOPLE_MAX = 60;

/** Pages that are not in the navigation. */
const FURTHER: readonly (readonly [label: string, href: string])[] = [
  ["Add a source", ADD],
  ["Schedules", "/dashboard/schedules"],
  ["Passkeys and second factor", SIGN_IN_SETTINGS],
  ["Change notifications", "/dashboard/settings/events"],
  ["Help and keys", HELP],
];

export const goPage = ownerPage<{ destinations: Destination[] }>({
  path: "/dashboard/go",
  under: "",
  async load({ look, house }) {
    const [connections, connectors, streams, people] = await Promise.all([
      look("connections", {}),
      look("connectors", {}),
      look("streams", {}),
      look("people", { limit: PEOPLE_MAX }),
    ]);
    const sources = new Map(connectors.data.map((one) => [one.connector_key, one]));
    const names = new Map(connections.data.map((one) => [one.connection_id, one.display_name]));
    const labelOf = (connectorKey: string, stream: string): string =>
      sources.get(connectorKey)?.declaration?.streams.find(({ name }) => name === stream)?.display?.label ?? stream;
    const recent = people.data.toSorted((one, other) => (other.last_at ?? "").localeCompare(one.last_at ?? ""));
    return {
      destinations: [
        ...navigation("", house.home !== undefined).map(({ label, href }) => ({ label, kind: "Page", href })),
        ...FURTHER.map(([label, href]) => ({ label, kind: "Page", href })),
        ...connections.data.map(({ connection_id, display_name }) => ({
          label: display_name,
          kind: "Source",
          href: connectionAddress(connection_id),
        })),
        ...streams.data
          .filter(({ record_count }) => record_count > 0)
          .map(({ connection_id, connector_key, name }) => ({
            label: labelOf(connector_key, name),
            kind: names.get(connection_id) ?? "Stream",
            href: streamAddress({ connection_id, stream: name }),
          })),
        ...recent.flatMap(({ person_id, name }) =>
          name === null ? [] : [{ label: name, kind: "Person", href: personAddress(person_id) }],
        ),
      ],
    };
  },
  show: ({ destinations }) => ({
    title: "Go to",
    width: "middle",
    body: html`<h1>Go to</h1><p class="lead">With a keyboard, <kbd>Ctrl</kbd> <kbd>K</kbd> opens this list on every page.</p>
<ul class="list destinations" id="list" tabindex="-1">${destinations.map(
      ({ label, kind, href }) =>
        html`<li class="row"><a href="${href}"><bdi>${label}</bdi></a><span class="note end"><bdi>${kind}</bdi></span></li>`,
    )}</ul>`,
  }),
});
