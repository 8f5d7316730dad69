// The default address of a home's server.

export const DEFAULT_PORT = 7887;
export const DEFAULT_ORIGIN = `http://127.0.0.1:${DEFAULT_PORT}`;
