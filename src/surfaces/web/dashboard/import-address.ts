// Addresses of imports in the dashboard.

export const IMPORT = "/dashboard/import";
export const importAddress = (id: string): string => `${IMPORT}/${encodeURIComponent(id)}`;
