// The shape of the demo home: exports in the formats that people have, each for one connection.

export interface DemoExport {
  /** Stable name of its connection inside the demo, e.g. "mail-work". */
  key: string;
  /** The connection's name. */
  display_name: string;
  /** Answers to the importer's questions that the files do not answer. */
  answers?: Readonly<Record<string, string>>;
  /** Its files; nothing is generated earlier. */
  files(): Iterable<DemoFile>;
}

export interface DemoFile {
  /** Below the folder of the export. */
  path: string;
  content: string | Uint8Array;
}

/** Computes once, on first use. */
export function lazy<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
