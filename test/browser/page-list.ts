// Every sign-in and consent page by name, with sample data of each kind.
import { consentPage } from "../../src/surfaces/web/pages/consent.ts";
import { type DeviceConfirmView, deviceConfirmPage, devicePage } from "../../src/surfaces/web/pages/device.ts";
import { type HeldRedirectView, heldRedirectPage } from "../../src/surfaces/web/pages/held-redirect.ts";
import { landingPage } from "../../src/surfaces/web/pages/landing.ts";
import { loginPage } from "../../src/surfaces/web/pages/login.ts";
import { messagePage } from "../../src/surfaces/web/pages/message.ts";
import { deniedPage, receiptPage } from "../../src/surfaces/web/pages/receipt.ts";
import { setupPage } from "../../src/surfaces/web/pages/setup.ts";
import { signedOutPage } from "../../src/surfaces/web/pages/signed-out.ts";
import {
  consent,
  files,
  filesReceipt,
  HOSTILE_NAMES,
  hostile,
  hostileRoots,
  owner,
  picker,
  receipt,
  training,
  unverified,
} from "./page-samples.ts";

const form = { action: "/answer", csrf: "c5rf" };

const device: DeviceConfirmView = {
  ...form,
  owner,
  userCode: "BDWP-HQPK",
  client: unverified,
  startedFrom: { place: "this-computer" },
  minutesAgo: 0,
};

const held: HeldRedirectView = {
  client: { claimedName: "Codex", redirectHost: "app.example.org" },
  href: "https://app.example.org/callback?error=invalid_scope",
  text: "It asks for a scope that does not exist.",
  code: "invalid_scope",
};

export const PAGES: Record<string, () => string> = {
  landing: () => landingPage("https://data.example.org"),
  setup: () => setupPage({ ...form, code: "one-time", passwordMinLength: 12 }),
  "setup-again": () =>
    setupPage({
      ...form,
      code: "one-time",
      passwordMinLength: 12,
      error: "The password is shorter than 12 characters.",
      values: { name: "Mara" },
    }),
  login: () =>
    loginPage({
      ...form,
      returnTo: "/authorize",
      reason: "claude.ai is asking to read your data.",
      hasTerminal: true,
    }),
  "login-wrong": () =>
    loginPage({
      ...form,
      returnTo: "/",
      error: "The name or the password is wrong.",
      retryAfterSeconds: 40,
      hasTerminal: false,
    }),
  device: () => devicePage({ ...form, owner }),
  "device-wrong": () =>
    devicePage({ ...form, owner, userCode: "BDWP-XXXX", error: "There is no such code, or it has expired." }),
  "device-confirm": () => deviceConfirmPage(device),
  "device-confirm-elsewhere": () =>
    deviceConfirmPage({
      ...device,
      client: { claimedName: "Claude Code", claimedHost: "claude.example" },
      startedFrom: { place: "elsewhere", address: "203.0.113.7" },
      minutesAgo: 4,
    }),
  "held-redirect": () => heldRedirectPage(held),
  ...Object.fromEntries(
    Object.entries(HOSTILE_NAMES).flatMap(([kind, claimedName]) => [
      [
        `device-hostile-${kind}`,
        () => deviceConfirmPage({ ...device, client: { claimedName, claimedHost: claimedName } }),
      ],
      [
        `held-hostile-${kind}`,
        () => heldRedirectPage({ ...held, client: { ...held.client, claimedName, claimedHost: claimedName } }),
      ],
    ]),
  ),
  consent: () => consentPage(consent),
  picker: () => consentPage(picker(3)),
  "picker-200": () => consentPage(picker(40)),
  training: () => consentPage(training),
  ...Object.fromEntries(
    Object.entries(HOSTILE_NAMES).map(([kind, name]) => [`hostile-${kind}`, () => consentPage(hostile(name))]),
  ),
  nothing: () => consentPage({ ...consent, sources: [] }),
  files: () => consentPage(files),
  "files-picker": () => consentPage({ ...files, prefilled: false, purpose: { aiTraining: false }, client: unverified }),
  "files-hostile-roots": () => consentPage(hostileRoots),
  "files-nothing": () => consentPage({ ...files, roots: [] }),
  receipt: () => receiptPage(receipt),
  "files-receipt": () => receiptPage(filesReceipt),
  denied: () =>
    deniedPage({ client: consent.client, continue: { href: "https://claude.ai/callback?error=access_denied" }, owner }),
  message: () =>
    messagePage({
      title: "This request has expired",
      text: "The app waited too long for an answer. Start again in the app; nothing was shared.",
      status: 400,
      code: "invalid_request",
      requestId: "req_01JB7",
      next: { label: "To your apps", href: "/dashboard/apps" },
    }),
  "signed-out": () => signedOutPage({ loginUrl: "/login" }),
};
