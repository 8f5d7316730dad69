// The permanent path of a record's or stream's page, for people and citations.

/** Escapes an id that ends in ".json" ("package.json"), so that the path is not mistaken for the record's JSON form. */
export function recordPath(place: { connection_id: string; stream: string; id?: string }): string {
  const segments = [place.connection_id, place.stream, ...(place.id === undefined ? [] : [place.id])];
  return `/dashboard/records/${segments.map(encodeURIComponent).join("/")}`.replace(/\.json$/, "%2Ejson");
}
