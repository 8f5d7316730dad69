// Tests the files for the service managers. Each is checked by a parser or against the rules of its format, and each
// starts the same server.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse as parsePlist } from "plist";
import { SaxesParser } from "saxes";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { describeService } from "./definition.ts";
import { SERVICE_MANAGERS } from "./managers.ts";

/** Contains characters that each format has to escape differently. */
const HOME = `/home/nora/my "data" & 100%/it's $HOME`;
const definition = describeService({
  name: "postern",
  home: HOME,
  backups: "/mnt/disk 1/backups",
  logFile: `${HOME}/service.log`,
  program: ["/opt/node 24/bin/node", "/opt/postern/bin/pdpp.js"],
  options: ["--port", "7900", "--metrics"],
  environment: { PDPP_LOG: "json", PDPP_METRICS_TOKEN: "a-secret-of-the-owner" },
});
const COMMAND = [
  "/opt/node 24/bin/node",
  "/opt/postern/bin/pdpp.js",
  "serve",
  "--home",
  HOME,
  "--port",
  "7900",
  "--metrics",
];

it("O-02 no service file contains a secret from the environment", () => {
  for (const manager of Object.values(SERVICE_MANAGERS)) expect(manager.render(definition)).not.toContain("a-secret");
});

describe("O-02 the systemd unit", () => {
  const sections = parseUnit(SERVICE_MANAGERS.systemd.render(definition));
  const service = sections.get("Service")!;

  it("O-02 starts the server, and restarts it after a failure", () => {
    expect(unitWords(service.get("ExecStart")!)).toEqual(COMMAND);
    expect(service.get("Restart")).toBe("on-failure");
    expect(service.get("Environment")).toBe('"PDPP_LOG=json"');
    expect(sections.get("Install")!.get("WantedBy")).toBe("default.target");
  });

  it("O-02 allows writes only to the home and the backup folder, within limits", () => {
    expect(unitWords(service.get("ReadWritePaths")!)).toEqual([HOME, "-/mnt/disk 1/backups"]);
    expect(Object.fromEntries(service)).toMatchObject({
      ProtectSystem: "strict",
      ProtectHome: "read-only",
      NoNewPrivileges: "yes",
      PrivateTmp: "yes",
      // The user's service manager would start programs outside this confinement.
      InaccessiblePaths: "-%t/bus -%t/systemd",
      RestrictSUIDSGID: "yes",
      UMask: "0077",
      MemoryMax: String(2 * 1024 ** 3),
    });
    // systemd kills processes that are still running after this time, so it must be longer than the server's own
    // timeout.
    expect(Number(service.get("TimeoutStopSec"))).toBeGreaterThan(14);
  });

  it("O-02 can be started by hand after systemd has given up on it", () => {
    for (const commands of [SERVICE_MANAGERS.systemd.install("postern"), SERVICE_MANAGERS.systemd.start("postern")]) {
      const words = commands.map((command) => command.words[2]);
      expect(words.at(-2)).toBe("reset-failed");
      expect(words.at(-1)).toMatch(/^(re)?start$/);
    }
  });

  it.skipIf(spawnSync("systemd-analyze", ["--version"]).status !== 0)("O-02 passes systemd's own verification", () => {
    const folder = mkdtempSync(join(tmpdir(), "pdpp-unit-"));
    // systemd checks that the program exists, so a real one is used.
    const unit = SERVICE_MANAGERS.systemd.render({ ...definition, command: [process.execPath, ...COMMAND.slice(1)] });
    const file = join(folder, "postern.service");
    const verify = (text: string): string => {
      writeFileSync(file, text);
      const env = { ...process.env, XDG_RUNTIME_DIR: folder };
      return spawnSync("systemd-analyze", ["verify", "--user", "--man=no", file], { encoding: "utf8", env }).stderr;
    };
    expect(verify(unit)).toBe("");
    expect(verify(unit.replace("UMask=", "UMaks="))).toContain("'UMaks'");
    rmSync(folder, { recursive: true, force: true });
  });
});

it("O-02 the launchd property list starts the same command, and restarts it after a failure", () => {
  expect(parsePlist(SERVICE_MANAGERS.launchd.render(definition))).toMatchObject({
    Label: "dev.postern.postern",
    ProgramArguments: COMMAND,
    EnvironmentVariables: { PDPP_LOG: "json" },
    WorkingDirectory: HOME,
    RunAtLoad: true,
    KeepAlive: { SuccessfulExit: false },
    Umask: 0o77,
    StandardErrorPath: `${HOME}/service.log`,
  });
});

describe("O-02 the Windows task", () => {
  /** The schema 1.2 rules (MS-TSCH 2.5) for the parts that we use. They are strict, so a part without a rule fails. */
  const yesNo = z.enum(["true", "false"]);
  const period = z.string().regex(/^P(\d+D)?(T(\d+H)?(\d+M)?(\d+S)?)?$/);
  const task = z.strictObject({
    RegistrationInfo: z.strictObject({ Description: z.string() }),
    Triggers: z.strictObject({ LogonTrigger: z.strictObject({ Enabled: yesNo, UserId: z.string().min(1) }) }),
    Principals: z.strictObject({
      Principal: z.strictObject({
        "@id": z.string(),
        UserId: z.string().min(1),
        LogonType: z.enum(["S4U", "Password", "InteractiveToken"]),
        RunLevel: z.enum(["LeastPrivilege", "HighestAvailable"]),
      }),
    }),
    Settings: z.strictObject({
      MultipleInstancesPolicy: z.enum(["Parallel", "Queue", "IgnoreNew", "StopExisting"]),
      DisallowStartIfOnBatteries: yesNo,
      StopIfGoingOnBatteries: yesNo,
      AllowHardTerminate: yesNo,
      StartWhenAvailable: yesNo,
      ExecutionTimeLimit: period,
      // The interval must be at least one minute (PT1M).
      RestartOnFailure: z.strictObject({
        Interval: period.regex(/[DHM]/),
        Count: z.coerce.number().int().min(1).max(255),
      }),
    }),
    Actions: z.strictObject({
      "@Context": z.string(),
      Exec: z.strictObject({ Command: z.string().min(1), Arguments: z.string(), WorkingDirectory: z.string() }),
    }),
    "@version": z.literal("1.2"),
    "@xmlns": z.literal("http://schemas.microsoft.com/windows/2004/02/mit/task"),
  });

  it("O-02 conforms to the schema, and runs the server with a log", () => {
    const windows = {
      ...definition,
      home: "C:\\Users\\Nora & Co\\data",
      command: ["C:\\node 24\\node.exe", "pdpp.js", "serve"],
    };
    const root = parseXml(SERVICE_MANAGERS.windows.render({ ...windows, logFile: "C:\\log.txt" }));
    const { Actions, Principals } = task.parse(root.Task);
    // The schema requires an order only here: first the elements that all triggers have.
    expect(JSON.stringify(root.Task)).toContain('"LogonTrigger":{"Enabled":"true","UserId":');
    expect(Actions["@Context"]).toBe(Principals.Principal["@id"]);
    expect(Actions.Exec.Arguments).toBe('/d /s /c ""C:\\node 24\\node.exe" "pdpp.js" "serve" >> "C:\\log.txt" 2>&1"');
    expect(Actions.Exec.WorkingDirectory).toBe("C:\\Users\\Nora & Co\\data");
  });
});

function parseUnit(text: string): Map<string, Map<string, string>> {
  const sections = new Map<string, Map<string, string>>();
  let section = new Map<string, string>();
  for (const line of text.split("\n").filter((one) => one !== "" && !one.startsWith("#"))) {
    const name = /^\[(\w+)\]$/.exec(line)?.[1];
    if (name !== undefined) {
      section = new Map();
      sections.set(name, section);
    } else section.set(line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1));
  }
  return sections;
}

/** Splits words as systemd.service(5) does: words are quoted, a backslash escapes, %% is % and $$ is $. */
function unitWords(text: string): string[] {
  return [...text.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, word]) =>
    word!.replaceAll(/\\(.)/g, "$1").replaceAll("%%", "%").replaceAll("$$", "$"),
  );
}

type Element = { [name: string]: Element | string };

/**
 * Parses elements into objects, and attributes into keys with an @. A repeated element is an error, because our file
 * contains no repeated elements.
 */
function parseXml(text: string): { [name: string]: Element } {
  const root: Element = {};
  const open: { name: string; element: Element; text: string }[] = [{ name: "", element: root, text: "" }];
  const parser = new SaxesParser();
  parser.on("opentag", ({ name, attributes }) => {
    const element = Object.fromEntries(Object.entries(attributes).map(([key, value]) => [`@${key}`, String(value)]));
    open.push({ name, element, text: "" });
  });
  parser.on("text", (piece) => {
    open.at(-1)!.text += piece;
  });
  parser.on("closetag", () => {
    const { name, element, text: content } = open.pop()!;
    const parent = open.at(-1)!.element;
    if (name in parent) throw new Error(`${name} is there twice`);
    parent[name] = content.trim() === "" ? element : content;
  });
  parser.on("error", (error) => {
    throw error;
  });
  parser.write(text.replace(/^<\?xml[^>]*>\n/, "")).close();
  return root as { [name: string]: Element };
}
