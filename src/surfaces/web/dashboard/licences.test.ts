// The licences page, compared with the installed packages.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { Visit } from "../owner-page.ts";
import { type LicencesView, licencesPage } from "./licences.ts";

const load = async (query: string) =>
  (await licencesPage.load({ search: new URLSearchParams(query) } as Visit)) as LicencesView;
const installed = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../../node_modules/${name}/package.json`, import.meta.url), "utf8"));

it("lists the bundled packages with the version and licence in their package.json", async () => {
  const { packages } = await load("");
  for (const name of ["hono", "zod"]) {
    const { version, license } = installed(name);
    expect(packages).toContainEqual({ name, version, licence: license });
  }
  expect(packages.filter(({ name, version, licence }) => !name || !version || !licence)).toEqual([]);
});

it("shows the text of one licence, and refuses a package that is not bundled", async () => {
  const { chosen } = await load(`package=hono@${installed("hono").version}`);
  expect(chosen!.text).toContain(
    readFileSync(new URL("../../../../node_modules/hono/LICENSE", import.meta.url), "utf8").trim(),
  );
  await expect(load("package=vitest")).rejects.toMatchObject({ code: "not_found" });
});
