// Dashboard addresses of imports.

export const IMPORT = "/dashboard/import";
export const importAddress = (id: string): string => `${IMPORT}/${encodeURIComponent(id)}`;
