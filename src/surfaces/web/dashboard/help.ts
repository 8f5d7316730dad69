// /dashboard/help: the product in plain words, and the keyboard shortcuts.
import { ownerPage } from "../owner-page.ts";
import { HELP, showHelp } from "./help-view.ts";

export const helpPage = ownerPage<object>({
  path: HELP,
  under: "",
  load: async () => ({}),
  show: showHelp,
});
