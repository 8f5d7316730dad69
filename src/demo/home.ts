// The structure of the demo home: exports in formats that people have, each for one connection.

export interface DemoExport {
  /** A stable name for the connection within the demo, such as "mail-work". */
  key: string;
  /** The connection's name. */
  display_name: string;
  /** Answers to the importer's questions about anything that the files leave open. */
  answers?: Readonly<Record<string, string>>;
  /** The export's files, which are generated only when they are read. */
  files(): Iterable<DemoFile>;
}

export interface DemoFile {
  /** Relative to the export's folder. */
  path: string;
  content: string | Uint8Array;
}
