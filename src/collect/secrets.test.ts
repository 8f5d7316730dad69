// Recognition of files with secrets, which are imported only with explicit consent.
import { expect, it } from "vitest";
import { importWorld } from "./import.fixture.ts";
import { secretsIn } from "./secrets.ts";

const secretsOf = (path: string, text: string) => secretsIn(path, Buffer.from(text));

it("I-08 keys, recovery phrases and password tables are recognised as secrets; texts about them are not", () => {
  expect(secretsOf("id_ed25519", "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNz\n")).toBe("a private key");
  expect(secretsOf("notes/key.md", "# Server\n\n-----BEGIN RSA PRIVATE KEY-----\nabc\n")).toBe("a private key");
  expect(secretsOf("a.txt", "PuTTY-User-Key-File-2: ssh-rsa\n")).toBe("a private key");
  const words = "abandon ability able about above absent absorb abstract absurd abuse access accident";
  expect(secretsOf("wallet.txt", words)).toBe("a recovery phrase");
  expect(
    secretsOf(
      "wallet.md",
      words
        .split(" ")
        .map((word, at) => `${at + 1}. ${word}`)
        .join("\n"),
    ),
  ).toBe("a recovery phrase");
  expect(secretsOf("x.csv", "user;Passwort;url\n")).toBe("passwords");
  expect(secretsOf("keys.csv", "User name,Access key ID,Secret access key\n")).toBe("secret keys");
  expect(secretsOf("a.md", "How to make a private key: ssh-keygen")).toBeUndefined();
  expect(secretsOf("poem.txt", "Twelve words that are a sentence, with a comma and a stop.")).toBeUndefined();
  expect(secretsOf("x.csv", "date,description,amount\n")).toBeUndefined();
});

it("I-08 passwords are skipped and reported, and imported only after an explicit yes", async () => {
  const world = importWorld();
  try {
    const path = world.put("logins.csv", "name,url,username,password\na,https://a.example,me,hunter2\n");
    const { planned, jobs } = await world.bring([path], { real: true });
    expect([planned.groups, jobs]).toEqual([[], []]);
    expect(planned.left).toMatchObject([{ reason: "it contains passwords", advice: /answer \{"secrets": "import"\}/ }]);
    const again = await world.bring([path], { real: true, answers: { secrets: "import" } });
    expect(again.jobs).toMatchObject([{ progress: { counts: { imported: 1 } } }]);
  } finally {
    await world.close();
  }
});
