// The permanent address of a record's or stream's page, for people and citations.

/** An id that ends like the address of the JSON form ("package.json") is escaped, so that it is not mistaken for it. */
export function recordPath(place: { connection_id: string; stream: string; id?: string }): string {
  const segments = [place.connection_id, place.stream, ...(place.id === undefined ? [] : [place.id])];
  return `/dashboard/records/${segments.map(encodeURIComponent).join("/")}`.replace(/\.json$/, "%2Ejson");
}
