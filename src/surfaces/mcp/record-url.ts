// The page of a record, for people and for citations.

export function recordUrl(origin: string, place: { connection_id: string; stream: string; id?: string }): string {
  const segments = [place.connection_id, place.stream, ...(place.id === undefined ? [] : [place.id])];
  return `${origin}/dashboard/records/${segments.map(encodeURIComponent).join("/")}`;
}
