// The screenshots in the docs: which demo page each one shows, and where it is cropped.

export interface Picture {
  /** A page of dashboardPages, or `consent` for an app that requests access. */
  page: string;
  scheme?: "dark";
  width?: 360;
  /** Height in pixels from the top. A longer page is cropped there. */
  height: number;
}

/** By file name in docs/screenshots, without the extension. */
export const PICTURES: Record<string, Picture> = {
  timeline: { page: "overview", height: 860 },
  "timeline-dark": { page: "overview", scheme: "dark", height: 860 },
  "timeline-phone": { page: "overview", width: 360, height: 740 },
  consent: { page: "consent", height: 1000 },
  apps: { page: "apps", height: 800 },
  seen: { page: "seen", height: 800 },
  search: { page: "search", height: 860 },
  chat: { page: "chat", height: 860 },
  calendar: { page: "calendar", height: 860 },
  ledger: { page: "ledger", height: 860 },
  photos: { page: "photos", height: 860 },
  map: { page: "map-near", height: 860 },
  person: { page: "person", height: 860 },
  import: { page: "import-report", height: 800 },
  files: { page: "files-map", height: 860 },
};
