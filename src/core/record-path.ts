// Where the page of a record or a stream is, for people and for citations; it stays.

/** An id that ends like a twin's address ("package.json") is written so that it is not taken for one. */
export function recordPath(place: { connection_id: string; stream: string; id?: string }): string {
  const segments = [place.connection_id, place.stream, ...(place.id === undefined ? [] : [place.id])];
  return `/dashboard/records/${segments.map(encodeURIComponent).join("/")}`.replace(/\.json$/, "%2Ejson");
}
