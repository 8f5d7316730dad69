// K-01: the streams of every importer and connector declare the kind of their records and the role of each field.
import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { SourceDeclaration } from "../../contract/declaration.ts";
import { KINDS } from "../../contract/kinds.ts";
import { parseDeclaration } from "../../core/declaration-check.ts";
import { fieldWith, rolesOf } from "../../core/roles.ts";
import { filesDeclaration } from "../../files/declaration.ts";
import { bookmarksImporter } from "./bookmarks/importer.ts";
import { IMPORTERS } from "./index.ts";

/** Streams whose records fit none of the kinds, and the reason. */
const WITHOUT: Record<string, string> = {
  "agents/tool_calls": "steps of a program",
  "agents/tool_results": "steps of a program",
  "google-location/frequent_places": "places without a time",
  "health/activity_days": "daily totals",
  "health/profile": "a single record",
  "notes/notebooks": "folders",
  "x/follows": "pairs of accounts",
};

/** Roles that a kind should have but a source does not provide. */
const UNKNOWN: Record<string, string> = {
  "health/correlations": "its values are records of their own",
  "x/likes": "an export does not say when something was liked",
  "agents/messages": "a session is one person and one program",
};

const CONNECTORS = ["caldav", "carddav", "imap"];
/** Code shared by several connectors. */
const SHARED = ["common", "dav"];

async function declarations(): Promise<[string, SourceDeclaration][]> {
  const found: [string, SourceDeclaration][] = [
    ["files", filesDeclaration],
    ...CONNECTORS.map((name): [string, SourceDeclaration] => [name, manifestOf(name).declaration]),
  ];
  for (const { name } of IMPORTERS) {
    // The declarations of tables are derived from their content.
    if (name === "tables") continue;
    const declared =
      name === "bookmarks"
        ? (await bookmarksImporter.plan({ name: "", entries: [] } as never, {})).declaration
        : Object.values(await import(`./${name}/declaration.ts`)).find((value) => Object(value).streams !== undefined);
    found.push([name, declared as SourceDeclaration]);
  }
  return found;
}

const manifestOf = (connector: string): { declaration: SourceDeclaration } =>
  JSON.parse(readFileSync(new URL(`../../connectors/${connector}/connector.json`, import.meta.url), "utf8"));

it("K-01 every stream of an importer or connector declares a kind and the roles that belong to it", async () => {
  expect(readdirSync(new URL("../../connectors", import.meta.url))).toEqual([...CONNECTORS, ...SHARED].sort());
  const all = await declarations();
  expect(all).toHaveLength(IMPORTERS.length + CONNECTORS.length);
  const seen = new Set<string>();
  for (const [source, declaration] of all) {
    expect(parseDeclaration(declaration)).toEqual(declaration);
    for (const { name, schema } of declaration.streams) {
      const place = `${source}/${name}`;
      const roles = rolesOf(schema);
      seen.add(place);
      if (Object.hasOwn(WITHOUT, place)) {
        expect(roles, place).toBeUndefined();
        continue;
      }
      expect(roles, place).toBeDefined();
      const missing = KINDS[roles!.kind].roles.filter((role) => fieldWith(roles!, role) === undefined);
      if (!Object.hasOwn(UNKNOWN, place)) expect([place, missing]).toEqual([place, []]);
    }
  }
  for (const place of [...Object.keys(WITHOUT), ...Object.keys(UNKNOWN)]) expect(seen).toContain(place);
});
