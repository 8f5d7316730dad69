// Actions in a few words for people. The audit log has the name of the call.
import { CALLS, type CallName, callNamed } from "../../../engine/calls/calls.ts";

/** Actions that are no calls of the engine: those of the files lens, and of commands. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  "files.cd": "Looked into a folder",
  "files.inspect": "Looked at a file",
  "files.roots": "Listed approved folders",
  "files.indexes": "Listed indexes of files",
  "files.tree": "Looked into a folder",
  "files.detail": "Looked closely at a file",
  "files.find": "Searched for files",
  "files.report": "Read a report on files",
  "files.session": "Looked where a session stands",
  "files.index": "Started a scan",
  "files.digests": "Started a search for duplicates",
  "files.job-pause": "Paused a scan",
  "files.job-resume": "Went on with a scan",
  "files.job-cancel": "Cancelled a scan",
  "files.set-entries": "Listed a selection",
  "files.query-delete": "Deleted a saved search",
  "files.add-root": "Approved a folder",
  "files.root-text": "Chose whether texts of files are read",
  "files.root-mounts": "Chose whether scans of a folder enter other disks",
  "files.records": "Brought records of files up to date",
  "files.remove-root": "Forgot a folder",
  "files.remove-index": "Removed an index of files",
  "files.job-progress": "Looked at a scan",
  "files.resource-set-ops": "Gathered a selection",
  "files.query-run": "Searched for files",
  "files.query-list": "Listed saved searches",
  "files.query-get": "Looked at a saved search",
  "files.download": "Downloaded a file",
  "files.served": "File delivered",
  backup: "Backed up",
  restore: "Restored from a backup",
  uncleanStop: "Ended without stopping",
};

const WORDS = new Map<string, string>([
  ...(Object.keys(CALLS) as CallName[]).flatMap((name): [string, string][] => {
    const { words } = callNamed(name);
    return words === undefined ? [] : [[name, words]];
  }),
  ...Object.entries(OTHER_WORDS),
]);

/** Those that a list of choices offers. */
export const ACTION_CHOICES: readonly [action: string, words: string][] = [...WORDS];

/** A name for programs is never shown: `collectRuns` is "Collect runs". */
export function actionWords(action: string): string {
  const plain = action.replace(/[._-]/g, " ").replace(/(?<=[a-z])(?=[A-Z])/g, " ");
  return WORDS.get(action) ?? plain.charAt(0).toUpperCase() + plain.slice(1).toLowerCase();
}
