// Formats sizes for people, on pages and in the questions of importers.

const BYTE_UNITS = ["bytes", "KB", "MB", "GB", "TB"];

/** "412 bytes", "1.4 MB". */
export function formatBytes(bytes: number): string {
  const step = Math.min(BYTE_UNITS.length - 1, bytes < 1000 ? 0 : Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** step;
  return `${step === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${BYTE_UNITS[step]}`;
}
