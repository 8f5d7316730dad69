// Every page of the dashboard, by path.
import type { AnyOwnerPage } from "../owner-page.ts";
import { activityPage } from "./activity.ts";
import { addPage } from "./add/add.ts";
import { appPage } from "./app.ts";
import { appsPage } from "./apps.ts";
import { connectPage } from "./connect.ts";
import { connectionPage } from "./connection.ts";
import { connectionDeletePage } from "./connection-delete.ts";
import { connectionsPage } from "./connections.ts";
import { connectorPage } from "./connectors/connector.ts";
import { runPage } from "./connectors/run.ts";
import { eventsPage } from "./events/events.ts";
import { subscriptionPage } from "./events/subscription.ts";
import { explorePage } from "./explore/explore.ts";
import { citedStreamPage, streamPage } from "./explore/stream.ts";
import { folderPage } from "./files/folder.ts";
import { foldersPage } from "./files/folders.ts";
import { fileIndexPage } from "./files/one-index.ts";
import { goPage } from "./go.ts";
import { grantPage } from "./grant.ts";
import { grantEditPage } from "./grant-edit.ts";
import { helpPage } from "./help.ts";
import { homePage } from "./home/home.ts";
import { importPage } from "./import.ts";
import { importUndoPage } from "./import-undo.ts";
import { licencesPage } from "./licences.ts";
import { mapPage } from "./map/map.ts";
import { oneImportPage } from "./one-import.ts";
import { peoplePage } from "./people/people.ts";
import { personPage } from "./people/person.ts";
import { recordPage } from "./record.ts";
import { requestPage } from "./request.ts";
import { schedulesPage } from "./schedules.ts";
import { secondFactorPage } from "./second-factor.ts";
import { seenPage } from "./seen/seen.ts";
import { settingsPage } from "./settings.ts";
import { whyPage } from "./why.ts";

export const OWNER_PAGES: readonly AnyOwnerPage[] = [
  connectionsPage,
  addPage,
  connectionPage,
  connectionDeletePage,
  connectorPage,
  runPage,
  foldersPage,
  folderPage,
  fileIndexPage,
  importPage,
  oneImportPage,
  importUndoPage,
  homePage,
  connectPage,
  appsPage,
  appPage,
  seenPage,
  grantPage,
  grantEditPage,
  activityPage,
  requestPage,
  schedulesPage,
  goPage,
  helpPage,
  settingsPage,
  licencesPage,
  secondFactorPage,
  eventsPage,
  subscriptionPage,
  explorePage,
  mapPage,
  peoplePage,
  personPage,
  streamPage,
  recordPage,
  citedStreamPage,
  whyPage,
];
