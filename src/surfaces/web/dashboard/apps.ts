// /dashboard/apps: one card per app, with its identity, what it may see, what it saw last, and buttons to edit, pause
// and revoke (V-05).
import { ownerPage } from "../owner-page.ts";
import { APPS, appsOf, grantsOf, isValid, packagesOf, recentLines } from "./app-grants.ts";
import { type AppsView, showApps } from "./apps-view.ts";
import { changeGrants, effectOf } from "./grant-acts.ts";
import { seenRequests } from "./seen/requests.ts";

export const appsPage = ownerPage<AppsView>({
  path: APPS,
  under: "apps",
  async load(visit) {
    const grants = await grantsOf(visit);
    const packages = await packagesOf(visit, grants.filter(isValid));
    const requests = await seenRequests(visit, recentLines(grants, packages));
    const effect = effectOf(visit.search, grants, visit.now);
    return {
      apps: appsOf(grants, packages).map((app) => {
        const own = requests.filter(({ clientId }) => clientId === app.clientId);
        const last = own.find(({ looksUp }) => !looksUp) ?? own[0];
        return last === undefined ? app : { ...app, last };
      }),
      ...(effect === undefined ? {} : { effect }),
    };
  },
  show: showApps,
  post: (visit, form) => changeGrants(visit, form, APPS),
});
