// Addresses of activity pages: the log with filters, and one request.

export const ACTIVITY = "/dashboard/activity";

export const requestAddress = (requestId: string): string => `${ACTIVITY}/${encodeURIComponent(requestId)}`;

/** Undefined filters are omitted. Days are `YYYY-MM-DD`, and both are inclusive. */
export function activityAddress(conditions: Readonly<Record<string, string | undefined>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(conditions))
    if (value !== undefined && value !== "") search.set(name, value);
  return search.size === 0 ? ACTIVITY : `${ACTIVITY}?${search}`;
}
