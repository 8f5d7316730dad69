// Tests that the overview tells a person that stored data is damaged. /readyz tells programs.

import { rmSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { HOME_OWNER, newHome } from "../../../../test/harness.ts";
import { openHome } from "../../../engine/home.ts";
import { noteDamage } from "../../../store/sqlite/home-check.ts";
import type { Visit } from "../owner-page.ts";
import { aboutStoredData } from "./stored-data.ts";

const home = newHome();
afterAll(() => rmSync(home, { recursive: true, force: true }));

test("T-09 shows a notice on the overview if a check found damage", async () => {
  const host = openHome(home, { create: true, note: () => undefined });
  const look: Visit["look"] = (name, query) => host.call(name, query, HOME_OWNER);
  expect(await aboutStoredData({ look })).toEqual([]);
  noteDamage(home, "a row of the table record does not match its checksum");
  expect(await aboutStoredData({ look })).toEqual([
    { text: expect.stringMatching(/damaged.*pdpp doctor/), action: "Check health", href: "/dashboard/settings#health" },
  ]);
  await host.close();
});
