// The file by which a directory of backups is known. On its own, so that opening a home loads no code of backups.
export const SETTINGS_FILE = "backups.json";
