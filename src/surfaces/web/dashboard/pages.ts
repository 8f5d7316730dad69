// Every page of the dashboard, by path.
import type { AnyOwnerPage } from "../owner-page.ts";
import { appsPage } from "./apps.ts";
import { connectPage } from "./connect.ts";
import { overviewPage } from "./overview.ts";
import { recordPage } from "./record.ts";
import { whyPage } from "./why.ts";

export const OWNER_PAGES: readonly AnyOwnerPage[] = [overviewPage, connectPage, appsPage, recordPage, whyPage];
