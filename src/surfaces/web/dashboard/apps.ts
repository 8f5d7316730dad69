// /dashboard/apps: which apps may read what, what they read lately, and one button that revokes it.
import { ownerPage } from "../owner-page.ts";
import { APPS, appsOf, endedNow, grantsOf, packagesOf, takeBack } from "./app-grants.ts";
import { type AppsView, showApps } from "./apps-view.ts";

export const appsPage = ownerPage<AppsView>({
  path: APPS,
  under: "apps",
  async load(visit) {
    const grants = await grantsOf(visit);
    const active = grants.filter(({ status }) => status === "active");
    const ended = endedNow(visit.search, grants);
    return {
      apps: appsOf(grants, await packagesOf(visit, active)),
      ...(ended === undefined ? {} : { ended }),
    };
  },
  show: showApps,
  post: (visit, form) => takeBack(visit, form, APPS),
});
