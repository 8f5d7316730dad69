// Records as older versions stored them, with the emitted_at that the migration must assign to each.
const MAIL = '{"run_id":"job_1","file":"mail.zip","digest":"sha256:ab","entry":"Therapist.mbox","offset":7}';
const IMAP = '{"run_id":"job_2","connector":"imap 1.0.0"}';
const SENT = Date.parse("2024-03-01T09:00:00Z");
export const INGESTED = Date.parse("2026-05-01T12:00:00Z");
const PUSHED = Date.parse("2026-04-30T12:00:00Z");

export interface OldRecord {
  id: string;
  emittedAt: number;
  data: string | null;
  origin: string | null;
  history: string | null;
  /** The emitted_at after the migration. */
  expected: number;
}

const record = (id: string, emittedAt: number, data: object | null, rest: Partial<OldRecord> = {}): OldRecord => ({
  id,
  emittedAt,
  data: data === null ? null : JSON.stringify({ id, ...data }),
  origin: null,
  history: null,
  expected: INGESTED,
  ...rest,
});

const stamp = (version: number, emittedAt: number, origin: string | null) => [version, emittedAt, INGESTED, origin];
const history = (emittedAt: number, origin: string | null): string =>
  JSON.stringify({
    fields: { subject: stamp(12, emittedAt, origin), 'odd "[1,2,3,"name\u0000': stamp(13, 5, null) },
    life: [
      [stamp(11, emittedAt, origin), true, SENT],
      [stamp(13, emittedAt + 0.5, null), true, null],
    ],
  });

export const OLD_RECORDS: readonly OldRecord[] = [
  record("imported", SENT, { sent_at: "2024-03-01T10:00:00+01:00" }, { origin: MAIL }),
  record("imported and changed", SENT, {}, { origin: MAIL, history: history(SENT, MAIL) }),
  record("imported, then deleted", SENT, null, { history: history(SENT, MAIL) }),
  record("without a time", 0, {}, { origin: MAIL }),
  record("collected", SENT, {}, { origin: IMAP }),
  record("pushed with a field's time", SENT, { at: "2024-03-01T09:00:00.000Z" }),
  record("pushed with a field's day", Date.UTC(2024, 2, 1), { day: "2024-03-01" }),
  record("pushed with a field's number", SENT, { at: SENT / 1000 }),
  record("pushed without a time", 0, {}, { history: history(0, null) }),
  record("pushed", PUSHED, { at: "2024-03-01T09:00:00Z" }, { expected: PUSHED }),
  record("pushed and changed", PUSHED, {}, { history: history(PUSHED, null), expected: PUSHED }),
];
