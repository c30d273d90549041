import { Effect, Option, Redacted } from "effect";
import { describe, expect, it } from "vitest";
import { readConfig } from "../src/settings/config.ts";

const read = (env: Record<string, string>) => Effect.runSync(Effect.result(readConfig(env, false)));

const refusal = (env: Record<string, string>) => {
  const result = read(env);
  return result._tag === "Failure" ? result.failure.message : "accepted";
};

const accepted = (env: Record<string, string>) => {
  const result = read(env);
  if (result._tag === "Failure") throw result.failure;
  return result.success;
};

const SMTP = { SMTP_URL: "smtps://smtp.test" };

describe("settings", () => {
  it("have defaults: the sandbox on the loopback [S1.3-4] [S1.3-27]", () => {
    const config = accepted({});
    expect(config).toMatchObject({
      host: "127.0.0.1",
      port: 3000,
      dataDir: "./data",
      logLevel: "Info",
      logFormat: "json",
    });
    expect(config.baseUrl.origin).toBe("http://127.0.0.1:3000");
    expect([config.imap, config.smtp, config.jwtKeys]).toEqual([Option.none(), Option.none(), Option.none()]);
    expect(accepted({ PORT: "", IMAP_URL: "" })).toMatchObject({ port: 3000, imap: Option.none() });
  });

  it.each([
    ["imaps://mail.test", { host: "mail.test", port: 993, tls: "implicit", origin: "operator" }],
    ["imaps://mail.test:1993", { host: "mail.test", port: 1993, tls: "implicit", origin: "operator" }],
    ["imap://mail.test", { host: "mail.test", port: 143, tls: "starttls", origin: "operator" }],
    ["imap://127.0.0.1:1143", { host: "127.0.0.1", port: 1143, tls: "plaintext", origin: "operator" }],
    ["imap://127.evil.test", { host: "127.evil.test", port: 143, tls: "starttls", origin: "operator" }],
    ["imap://[::1]:1143", { host: "::1", port: 1143, tls: "plaintext", origin: "operator" }],
    ["imap://localhost", { host: "localhost", port: 143, tls: "plaintext", origin: "operator" }],
  ])("IMAP_URL=%s [S1.3-7]", (url, server) =>
    expect(accepted({ IMAP_URL: url, ...SMTP }).imap).toEqual(Option.some(server)),
  );

  it("set the rate of sending and the blocked senders [S1.3-22] [S1.3-23]", () => {
    const { sendRates, senderPolicy } = accepted({
      SEND_RATE_PER_MINUTE: "5",
      SENDER_BLOCKLIST: " Bad@x.test, @blocked.test,",
    });
    expect(sendRates).toEqual({ perMinute: 5, perDay: 1000 });
    expect([...senderPolicy.blockedAddresses, ...senderPolicy.blockedDomains]).toEqual(["bad@x.test", "blocked.test"]);
  });

  it("set the rate of announcements after an outage", () => {
    expect(accepted({}).accounts.backfillRate).toBe(50);
    expect(accepted({ BACKFILL_RATE: "7" }).accounts.backfillRate).toBe(7);
  });

  it("default to the specified ladder of webhooks and to no private address [S1.3-3] [S1.3-19]", () => {
    expect(accepted({ IMAP_URL: "imaps://imap.test", ...SMTP }).webhooks).toEqual({
      retryDelays: [60_000, 300_000, 900_000, 3_600_000, 21_600_000],
      timeout: 15_000,
      allowedNetworks: [],
      notify: Option.none(),
      notifyFrom: Option.none(),
    });
    const told = accepted({
      WEBHOOK_RETRY_DELAYS: "500ms, 10s,2m,1h,1d",
      WEBHOOK_TIMEOUT: "3s",
      WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1/32, fd00::/8",
      NOTIFY_FROM: "postern@x.test",
    });
    expect(told.webhooks).toMatchObject({
      retryDelays: [500, 10_000, 120_000, 3_600_000, 86_400_000],
      timeout: 3_000,
      notifyFrom: Option.some("postern@x.test"),
    });
    expect(told.webhooks.allowedNetworks).toEqual(["127.0.0.1/32", "fd00::/8"]);
  });

  it("allow receivers on this machine only for the sandbox on the loopback [S1.3-21]", () => {
    const allowed = (env: Record<string, string>) => accepted(env).webhooks.allowedNetworks;
    expect(allowed({})).toEqual(["127.0.0.0/8", "::1/128"]);
    expect(allowed({ HOST: "0.0.0.0" })).toEqual([]);
    expect(allowed({ WEBHOOK_ALLOWED_NETWORKS: "10.0.0.0/8" })).toEqual(["10.0.0.0/8"]);
    expect(allowed({ ACCOUNT_SERVERS: "any" })).toEqual([]);
    expect(allowed({ BASE_URL: "https://mail.example.com" })).toEqual([]);
  });

  it("list variables that look like settings but are not [S1.3-2]", () => {
    const strays = (env: Record<string, string>) => accepted(env).strays.map((line) => line.split(" ", 1)[0]);
    expect(strays({ IMAP_ULR: "x", WEBHOOK_TIMEOUTS: "1s", SMTP_HOST: "x", SEND_RATES: "1", MAIL_TLS: "x" })).toEqual([
      "IMAP_ULR",
      "WEBHOOK_TIMEOUTS",
      "SMTP_HOST",
      "SEND_RATES",
      "MAIL_TLS",
    ]);
    const ofOthers = { LOG_DIR: "x", OTEL_SERVICE_NAME: "x", IMAP_SERVICE_HOST: "10.0.0.1", IMAP_PORT_143_TCP: "x" };
    expect(strays({ ...ofOthers, IMAP_URL: "imaps://imap.test", ...SMTP, PATH: "x", HOSTNAME: "x" })).toEqual([]);
  });

  it.each([
    ["smtps://me:hunter2@notify.test", { port: 465, tls: "implicit", user: "me", password: "hunter2" }],
    [
      "smtps://me%40x.test:h%2Fnter%3A2@notify.test:1465",
      { port: 1465, tls: "implicit", user: "me@x.test", password: "h/nter:2" },
    ],
    ["smtp://notify.test", { port: 587, tls: "starttls", user: undefined, password: undefined }],
    ["smtp://127.0.0.1:25", { port: 25, tls: "plaintext", user: undefined, password: undefined }],
  ])("NOTIFY_SMTP_URL=%s", (url, { port, tls, user, password }) => {
    const { notify } = accepted({ NOTIFY_SMTP_URL: url, NOTIFY_FROM: "postern@x.test" }).webhooks;
    const { credential, ...server } = Option.getOrThrow(notify);
    expect(server).toMatchObject({ port, tls });
    expect([credential?.username, credential && Redacted.value(credential.password)]).toEqual([user, password ?? null]);
  });

  it("require a sender for notices, and do not repeat a password [S1.3-25]", () => {
    expect(refusal({ NOTIFY_SMTP_URL: "smtps://notify.test" })).toMatch(/^NOTIFY_FROM is not set; .*NOTIFY_SMTP_URL/);
    for (const url of ["https://me:hunter2@notify.test", "smtps://me:hunter2@", "smtps://%zz:hunter2@notify.test"]) {
      const message = refusal({ NOTIFY_SMTP_URL: url, NOTIFY_FROM: "postern@x.test" });
      expect(message).toMatch(/^NOTIFY_SMTP_URL cannot be used; it takes /);
      expect(message).not.toContain("hunter2");
    }
  });

  it("skip STARTTLS to another host only with MAIL_ALLOW_PLAINTEXT [S1.3-7]", () => {
    const tls = (env: Record<string, string>) =>
      Option.getOrThrow(accepted({ IMAP_URL: "imap://mail.test", ...SMTP, ...env }).imap).tls;
    expect([tls({}), tls({ MAIL_ALLOW_PLAINTEXT: "false" }), tls({ MAIL_ALLOW_PLAINTEXT: "true" })]).toEqual([
      "starttls",
      "starttls",
      "plaintext",
    ]);
  });

  it.each([
    ["PORT", "70000"],
    ["PORT", "80a"],
    ["BASE_URL", "mail.example.com"],
    ["BASE_URL", "https://mail.example.com/?a=b"],
    ["BASE_URL", "ftp://mail.example.com"],
    ["IMAP_URL", "mail.test"],
    ["IMAP_URL", "smtp://mail.test"],
    ["IMAP_CONNECTIONS_PER_ACCOUNT", "0"],
    ["SEND_RATE_PER_MINUTE", "0"],
    ["SEND_RATE_PER_DAY", "1.5"],
    ["BACKFILL_RATE", "0"],
    ["SENDER_BLOCKLIST", "a@b.test, nonsense"],
    ["LOG_LEVEL", "loud"],
    ["LOG_FORMAT", "xml"],
    ["MAIL_ALLOW_PLAINTEXT", "yes"],
    ["SMTP_REQUIRE_AUTH", "no"],
    ["DATABASE_URL", "mysql://db.test/postern"],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318"],
    ["TRUSTED_PROXIES", "10.0.0.0/8,proxy.test"],
    ["WEBHOOK_RETRY_DELAYS", "1m,soon"],
    ["WEBHOOK_RETRY_DELAYS", "1m,,5m"],
    ["WEBHOOK_RETRY_DELAYS", Array.from({ length: 21 }, () => "1m").join(",")],
    ["WEBHOOK_TIMEOUT", "15"],
    ["WEBHOOK_TIMEOUT", "0s"],
    ["WEBHOOK_ALLOWED_NETWORKS", "10.0.0.0/8,hooks.test"],
    ["NOTIFY_FROM", "Postern <postern@x.test>"],
  ])("%s=%s is refused in one line that names it [S1.3-1]", (name, value) => {
    const message = refusal({ [name]: value });
    expect(message).toMatch(new RegExp(`^${name} .+; it takes .+\\.$`));
    expect(message).not.toContain("\n");
  });

  it("require the keys that processes on one database must share [S1.3-17] [S1.3-18]", () => {
    const url = "postgres://me:hunter2@db.test/postern";
    const all = { DATABASE_URL: url, CREDENTIAL_KEYS: "k1:…", JWT_KEYS: "[]" };
    expect(Option.map(accepted(all).databaseUrl, Redacted.value)).toEqual(Option.some(url));
    for (const name of ["CREDENTIAL_KEYS", "JWT_KEYS"]) {
      const message = refusal({ ...all, [name]: "" });
      expect(message).toMatch(new RegExp(`^${name} is not set; .*keys:new`));
      expect(message).not.toContain("hunter2");
    }
    expect(refusal({ ...all, DATABASE_URL: "mysql://me:hunter2@db.test" })).not.toContain("hunter2");
  });

  it("accept one admin key, or two while one is replaced [S10.1-6]", () => {
    const [one, other] = ["k".repeat(32), `adm_${"~".repeat(40)}`];
    const keysOf = (text: string) => accepted({ ADMIN_KEY: text }).adminKeys.map(Redacted.value);
    expect([keysOf(""), keysOf(one), keysOf(`${one}, ${other}`)]).toEqual([[], [one], [one, other]]);
  });

  it.each([
    "k".repeat(31),
    `${"k".repeat(32)},short`,
    `${"k".repeat(32)},`,
    Array.from({ length: 3 }, () => "k".repeat(32)).join(","),
    `${"k".repeat(20)} ${"k".repeat(20)}`,
    `${"k".repeat(32)}ä`,
    `psk_${"k".repeat(32)}`,
  ])("refuse the admin key %s without repeating it [S10.1-6]", (value) => {
    const message = refusal({ ADMIN_KEY: value });
    expect(message).toMatch(/^ADMIN_KEY cannot be used; it takes .+\.$/);
    expect(message).not.toContain("kkk");
  });

  it("accept address blocks as trusted proxies", () => {
    expect(accepted({}).trustedProxies).toEqual([]);
    expect(accepted({ TRUSTED_PROXIES: "10.0.0.0/8, ::1" }).trustedProxies).toHaveLength(2);
  });

  it("do not repeat the secret of a refused URL", () => {
    expect(refusal({ IMAP_URL: "imaps://me:hunter2@mail.test" })).not.toContain("hunter2");
    expect(refusal({ SMTP_URL: "smtps://smtp.test" })).toContain("IMAP_URL");
    expect(refusal({ IMAP_URL: "imaps://imap.test" })).toContain("SMTP_URL");
  });
});
