// The file that identifies a backup directory. It has its own module, so that opening a home loads no backup code.
export const SETTINGS_FILE = "backups.json";
