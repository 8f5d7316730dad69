// Actions in a few words for people. The audit log has the call's name.
import { CALLS, type CallName, callNamed } from "../../../engine/calls/calls.ts";

/** Actions that are not engine calls: those of the files lens and of commands. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  "files.cd": "Opened a folder",
  "files.inspect": "Looked at a file",
  "files.roots": "Listed approved folders",
  "files.indexes": "Listed file indexes",
  "files.tree": "Opened a folder",
  "files.detail": "Inspected a file",
  "files.find": "Searched for files",
  "files.report": "Read a file report",
  "files.session": "Looked at a session",
  "files.index": "Started a scan",
  "files.digests": "Started a search for duplicates",
  "files.job-pause": "Paused a scan",
  "files.job-resume": "Resumed a scan",
  "files.job-cancel": "Cancelled a scan",
  "files.set-entries": "Listed a selection",
  "files.query-delete": "Deleted a saved search",
  "files.add-root": "Approved a folder",
  "files.root-text": "Turned file text on or off",
  "files.root-mounts": "Turned scans of other disks on or off",
  "files.records": "Updated file records",
  "files.remove-root": "Removed a folder",
  "files.remove-index": "Removed a file index",
  "files.job-progress": "Looked at a scan",
  "files.resource-set-ops": "Created a selection",
  "files.query-run": "Searched for files",
  "files.query-list": "Listed saved searches",
  "files.query-get": "Looked at a saved search",
  "files.download": "Downloaded a file",
  "files.served": "File delivered",
  backup: "Backed up",
  restore: "Restored from a backup",
  uncleanStop: "Stopped unexpectedly",
};

const WORDS = new Map<string, string>([
  ...(Object.keys(CALLS) as CallName[]).flatMap((name): [string, string][] => {
    const { words } = callNamed(name);
    return words === undefined ? [] : [[name, words]];
  }),
  ...Object.entries(OTHER_WORDS),
]);

/** The actions offered in the filter list. */
export const ACTION_CHOICES: readonly [action: string, words: string][] = [...WORDS];

/** Describes an action in words. Internal names are never shown: `collectRuns` becomes "Collect runs". */
export function actionWords(action: string): string {
  const plain = action.replace(/[._-]/g, " ").replace(/(?<=[a-z])(?=[A-Z])/g, " ");
  return WORDS.get(action) ?? plain.charAt(0).toUpperCase() + plain.slice(1).toLowerCase();
}
