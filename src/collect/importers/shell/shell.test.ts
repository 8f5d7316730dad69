// Shell history: each format with its times, redacted secrets, repeated runs and every checkpoint.
import { expect, it } from "vitest";
import { collect, memoryEntry, recognised, recordsOf, refusals } from "../../importer.fixture.ts";
import { hostile, repeatsAndResumes } from "../hostile.fixture.ts";
import { shellImporter } from "./importer.ts";
import { redact } from "./redact.ts";

const BASH =
  "ls -la\n#1700000000\ngit status\n#1700000060\nfor f in *; do\n  echo $f\ndone\n#1700000060\nls\n#1700000060\nls\n";
const ZSH = ": 1700000000:0;cd /tmp\n: 1700000005:12;echo one\\\ntwo\nplain command\n: 1700000020:0;echo \x83\xa3\n";
const FISH =
  "- cmd: echo a\\nb \\\\ c\n  when: 1700000000\n  paths:\n    - src/main.ts\n    - README.md\n- cmd: ls\n  when: 1700000001\n";

const commands = async (path: string, content: string | Buffer) =>
  recordsOf(await collect(shellImporter, [memoryEntry(path, content)])).map(({ data }) => data);

it("P-05 bash: with times, without times, and multi-line commands", async () => {
  expect((await commands(".bash_history", BASH)).map(({ at, command }) => [at, command])).toEqual([
    [undefined, "ls -la"],
    ["2023-11-14T22:13:20.000Z", "git status"],
    ["2023-11-14T22:14:20.000Z", "for f in *; do\n  echo $f\ndone"],
    ["2023-11-14T22:14:20.000Z", "ls"],
    ["2023-11-14T22:14:20.000Z", "ls"],
  ]);
});

it("P-05 zsh: extended, plain, multi-line, its own byte escapes", async () => {
  const found = await commands(".zsh_history", Buffer.from(ZSH, "latin1"));
  expect(found.map(({ command, seconds }) => [command, seconds])).toEqual([
    ["cd /tmp", 0],
    ["echo one\ntwo", 12],
    ["plain command", undefined],
    // 0x83 0xa3 encodes the byte 0x83, which is not valid UTF-8 on its own.
    ["echo \ufffd", 0],
  ]);
});

it("P-05 fish: escapes, times and paths", async () => {
  expect(await commands("fish_history", FISH)).toMatchObject([
    { command: "echo a\nb \\ c", at: "2023-11-14T22:13:20.000Z", paths: ["src/main.ts", "README.md"], program: "echo" },
    { command: "ls", at: "2023-11-14T22:13:21.000Z", shell: "fish" },
  ]);
});

it("P-05 a history that lost its oldest lines produces no new keys", async () => {
  const keys = async (text: string) =>
    recordsOf(await collect(shellImporter, [memoryEntry(".bash_history", text)])).map(({ key }) => key);
  const long = await keys("ls\nmake\nls\nmake test\nls\n");
  const short = await keys("ls\nmake test\nls\n");
  expect(long).toHaveLength(5);
  expect(new Set(long).size).toBe(5);
  expect(short.filter((key) => !long.includes(key))).toEqual([]);
});

it("P-05 histories are recognised by name and by their format", () => {
  expect(recognised(shellImporter, "home/.bash_history", "ls\n")?.score).toBe(70);
  expect(recognised(shellImporter, "home/.zsh_history", ZSH)?.score).toBe(95);
  expect(recognised(shellImporter, "backup/old.txt", ZSH)?.score).toBe(80);
  expect(recognised(shellImporter, "fish_history", FISH)?.reason).toBe("fish history");
  expect(recognised(shellImporter, "notes.md", "#1700000000\nhello\n")).toBeUndefined();
  expect(recognised(shellImporter, "notes.txt", "ls\n")).toBeUndefined();
});

it.each([
  ["git clone https://me:hunter2@example.org/x.git", "git clone https://me:[redacted]@example.org/x.git"],
  [
    "git push https://ghp_abcdefghijklmnopqrstuvwxyz0123456789@github.com/a/b",
    "git push https://[redacted]@github.com/a/b",
  ],
  ["mysql -u root -phunter2 shop", "mysql -u root -p[redacted] shop"],
  ["tool --password hunter2 --verbose", "tool --password [redacted] --verbose"],
  ["tool --db-password='hunter 2' x", "tool --db-password=[redacted] x"],
  ["export AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG", "export AWS_SECRET_ACCESS_KEY=[redacted]"],
  ["aws configure set aws_access_key_id AKIAIOSFODNN7EXAMPLE", "aws configure set aws_access_key_id [redacted]"],
  ["aws configure set aws_secret_access_key wJalrXUtnFEMI/K7", "aws configure set aws_secret_access_key [redacted]"],
  ["set -gx GITHUB_TOKEN hunter2", "set -gx GITHUB_TOKEN [redacted]"],
  ["PGPASSWORD=hunter2 psql -h db", "PGPASSWORD=[redacted] psql -h db"],
  ['curl -H "Authorization: Bearer abc.def" https://x.org', 'curl -H "Authorization: Bearer [redacted]" https://x.org'],
  ["curl -u me:hunter2 https://x.org", "curl -u me:[redacted] https://x.org"],
  ["curl 'https://x.org/?api_key=hunter2&page=2'", "curl 'https://x.org/?api_key=[redacted]&page=2'"],
  ['curl -d \'{"password": "hunter2"}\' x.org', 'curl -d \'{"password": "[redacted]"}\' x.org'],
  ["echo hunter2 | sudo -S apt update", "echo [redacted] | sudo -S apt update"],
  ["sshpass -p hunter2 ssh host", "sshpass -p [redacted] ssh host"],
  ["openssl enc -pass pass:hunter2", "openssl enc -pass pass:[redacted]"],
  ["echo eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcdefgh", "echo [redacted]"],
])("secrets are redacted: %s", (typed, stored) => {
  expect(redact(typed)).toEqual({ command: stored, redacted: true });
});

it.each([
  "ls --passive x",
  "tool --password $PW",
  "git commit -m 'pass the token on'",
  "cd ~/secrets",
  "vim ssh_key notes.txt",
  "npm token list",
])("text that is not secret stays unchanged: %s", (typed) =>
  expect(redact(typed)).toEqual({ command: typed, redacted: false }),
);

it("SECURITY row 16: redacting a command never takes long", () => {
  for (const unit of [
    "a_",
    "-p",
    "\\",
    '"',
    "--token-",
    "https://a:",
    "password=",
    "mysql ",
    "x-",
    "eyJ",
    "'\"",
    "token ",
  ]) {
    expect(redact(unit.repeat(30_000 / unit.length)).command.length).toBeGreaterThan(0);
  }
});

it("P-05 produces the same records in every run, resumes from every checkpoint, and matches its declaration", async () => {
  const many = Array.from({ length: 2500 }, (_, n) => `#${1_700_000_000 + n}\necho ${n}`).join("\n");
  const entries = [memoryEntry("a/.bash_history", many), memoryEntry("b/.zsh_history", Buffer.from(ZSH, "latin1"))];
  await repeatsAndResumes(shellImporter, entries);
  expect(await refusals(shellImporter, entries)).toEqual([]);
});

it("SECURITY row 16: truncated and damaged histories never crash the parser", async () => {
  for (const [path, text] of [
    [".bash_history", BASH],
    [".zsh_history", ZSH],
    ["fish_history", FISH],
  ] as const) {
    await hostile(shellImporter, path, Buffer.from(text, "latin1"));
  }
});
