// P-07: every request is logged under its route's name, which reveals nothing else.
import { expect, it } from "vitest";
import { AUTH_PATHS } from "../auth/discovery.ts";
import { ROUTES } from "../engine/calls/calls.ts";
import { FILE_ROUTES } from "../surfaces/files/routes.ts";
import { routeName } from "./route-names.ts";

it("P-07 every route in the tables is named by its pattern, even under the owner's session", () => {
  for (const { path } of [...ROUTES, ...FILE_ROUTES]) {
    const address = path.replace(/\{\w+\}/g, "3f%2Fx.y");
    expect(routeName(address)).toBe(path);
    expect(routeName(`/dashboard${address}`)).toBe(`/dashboard${path}`);
  }
});

it("P-07 every address of the authorization server has a name", () => {
  for (const path of Object.values(AUTH_PATHS)) {
    if (path !== AUTH_PATHS.interaction) expect(routeName(path)).toBe(path);
  }
  expect(routeName(`${AUTH_PATHS.interaction}/abc/confirm`)).toBe("/oauth/interaction/{id}");
});

it("P-07 unknown addresses share one name, and so do all addresses below a page", () => {
  const secret = "pdpp_at_secret";
  const names = [
    `/${secret}`,
    `/v1/${secret}`,
    `/v1/streams/${secret}/x/y/z`,
    `/dashboard/x/${secret}`,
    `/assets/${secret}`,
  ];
  expect(names.map(routeName)).toEqual(["(none)", "(none)", "(none)", "/dashboard/{page}", "/assets/{file}"]);
});
