import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPostern, type PosternOptions, type Settings } from "@postern/server";
import { describe, expect, expectTypeOf, it } from "vitest";
import { settingNames } from "../src/settings/config.ts";
import { optionNames } from "../src/embedded/option-names.ts";

const SETTINGS: Record<Exclude<keyof Settings, "sandbox" | "workerUrl">, true> = {
  baseUrl: true,
  trustedProxies: true,
  jwtIssuer: true,
  imapUrl: true,
  smtpUrl: true,
  mailAllowPlaintext: true,
  mailTlsCaFile: true,
  accountServers: true,
  imapDomains: true,
  signInDomains: true,
  follow: true,
  backfillRate: true,
  discoveryIspdbUrl: true,
  mailAllowedNetworks: true,
  mailHostConnections: true,
  imapConnectionsPerAccount: true,
  readCacheBytes: true,
  smtpRequireAuth: true,
  databaseUrl: true,
  databaseSchema: true,
  databaseConnections: true,
  sendRatePerMinute: true,
  sendRatePerDay: true,
  sendRetryDelays: true,
  sendDelayedAfter: true,
  sendExpiresAfter: true,
  senderBlocklist: true,
  senderAliases: true,
  dataDir: true,
  webhookRetryDelays: true,
  webhookTimeout: true,
  webhookAllowedNetworks: true,
  notifySmtpUrl: true,
  notifyFrom: true,
  credentialKeys: true,
  jwtKeys: true,
  adminKey: true,
  oauthApps: true,
  operatorName: true,
  mcpDynamicRegistration: true,
  otelExporterOtlpEndpoint: true,
  logLevel: true,
};

it("the options of createPostern are the settings, except for those of a process that listens", () => {
  expect([...optionNames().keys()].toSorted()).toEqual(Object.keys(SETTINGS).toSorted());
});

it("the page about settings lists all of them", () => {
  const page = readFileSync(new URL("../../../docs/reference/configuration.md", import.meta.url), "utf8");
  const listed = [...page.matchAll(/^\| (`[^|]+`) \|/gm)].flatMap(([, cell]) => cell!.match(/[A-Z][A-Z_]+/g) ?? []);
  expect(listed.toSorted()).toEqual([...settingNames()].toSorted());
});

it("every option may be undefined, like a variable that is not set", async () => {
  const all = Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, undefined]));
  const unset = { ...all, workerUrl: undefined, logger: undefined, authenticate: undefined, ports: undefined };
  expectTypeOf<{ readonly [Name in keyof Required<PosternOptions>]: undefined }>().toExtend<PosternOptions>();
  const dataDir = mkdtempSync(join(tmpdir(), "options-"));
  const postern = await createPostern({ ...unset, sandbox: true, dataDir });
  await postern.stop();
  rmSync(dataDir, { recursive: true });
});

describe("an option that cannot be used is refused by an error that names it", () => {
  it.each([
    [{ imapUrl: "nonsense" }, /^imapUrl cannot be used; it takes imap:/],
    [{ imapUrl: "imaps://imap.example.com" }, /^smtpUrl is not set; .* because imapUrl is set/],
    [{}, /^No mail server is named: set imapUrl and smtpUrl, or accountServers to "any", or sandbox to true/],
    [{ imapUrl: undefined, smtpUrl: undefined }, /^No mail server is named/],
    [{ imapUrl: "", smtpUrl: "" }, /^No mail server is named/],
    [{ imapUrl: "", smtpUrl: "smtp://smtp.example.com" }, /^imapUrl is not set; .* because smtpUrl is set/],
    [{ accountServers: "" }, /^No mail server is named/],
    [{ imapUrl: "", ports: { mailTransport: { send: async () => ({}) } } }, /^No mail server is named/],
    [{ sandbox: false }, /^No mail server is named/],
    [{ sandbox: "true" }, /^sandbox takes true or false\.$/],
    [
      { sandbox: true, imapUrl: "imap://localhost", smtpUrl: "smtp://localhost" },
      /^sandbox is true, but other options/,
    ],
    [{ sandbox: true, accountServers: "any" }, /^sandbox is true, but other options/],
    [{ sandbox: true, sendRatePerDay: 0 }, /^sendRatePerDay is "0"; it takes a whole number/],
    [{ imapURL: "imaps://imap.example.com" }, /^imapURL is no option$/],
    [{ port: 3000 }, /^port is no option$/],
    [{ ports: { uploads: { write: async () => {} } } }, /^ports\.uploads has no function read$/],
    [{ ports: { mailTransport: null } }, /^ports\.mailTransport has no function send$/],
    [{ ports: { store: {} } }, /^ports\.store is no port$/],
  ])("%j", async (options, message) => {
    await expect(createPostern(options as Settings)).rejects.toMatchObject({
      name: "PosternError",
      code: "invalid_option",
      message: expect.stringMatching(message) as string,
    });
  });
});

it("with a mail transport of the host, imapUrl needs no smtpUrl", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "options-"));
  const mailTransport = { send: async () => ({ result: "accepted" }) as const };
  try {
    const postern = await createPostern({ dataDir, imapUrl: "imaps://imap.example.com", ports: { mailTransport } });
    await postern.stop();
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});

it("warns in the log that links do not work without baseUrl", async () => {
  const warnings: Array<string> = [];
  const warn = (message: string) => void warnings.push(message);
  const logger = { debug: () => {}, info: () => {}, warn, error: warn };
  for (const options of [{ imapUrl: "imap://localhost:9", smtpUrl: "smtp://localhost:9" }, { sandbox: true }]) {
    const dataDir = mkdtempSync(join(tmpdir(), "options-"));
    try {
      const postern = await createPostern({ dataDir, logger, ...options });
      await postern.start();
      await postern.stop();
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  }
  expect(warnings).toEqual([expect.stringMatching(/^baseUrl is not set/)]);
});
