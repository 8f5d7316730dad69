// Addresses of the activity: the log with some conditions, and one request.

export const ACTIVITY = "/dashboard/activity";

export const requestAddress = (requestId: string): string => `${ACTIVITY}/${encodeURIComponent(requestId)}`;

/** Undefined conditions are omitted. Days are `YYYY-MM-DD`, both included. */
export function activityAddress(conditions: Readonly<Record<string, string | undefined>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(conditions))
    if (value !== undefined && value !== "") search.set(name, value);
  return search.size === 0 ? ACTIVITY : `${ACTIVITY}?${search}`;
}
