import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { createServer } from "node:tls";
import { describeWithDovecot, Dovecot, ScriptedSmtp } from "@postern/testkit";
import { Effect, Layer, ManagedRuntime } from "effect";
import { expect, it, onTestFinished } from "vitest";
import { dataDir, post, start, started } from "./server-process.ts";

const USER = "u1@x.test";

/** Makes a certificate authority and a certificate for the loopback that it signs. */
const authority = () => {
  const file = (name: string) => join(dataDir(), name);
  const openssl = (...options: ReadonlyArray<string>) => execFileSync("openssl", options, { stdio: "pipe" });
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  openssl("req", "-x509", ...key, "-subj", "/CN=Ours", "-keyout", file("ca.key"), "-out", file("ca.pem"));
  openssl("req", ...key, "-subj", "/CN=localhost", "-keyout", file("smtp.key"), "-out", file("smtp.csr"));
  writeFileSync(file("names"), "subjectAltName=IP:127.0.0.1");
  const signing = ["-CA", file("ca.pem"), "-CAkey", file("ca.key"), "-CAcreateserial", "-extfile", file("names")];
  openssl("x509", "-req", "-in", file("smtp.csr"), ...signing, "-out", file("smtp.pem"));
  const read = (name: string) => readFileSync(file(name), "utf8");
  return { ca: read("ca.pem"), key: read("smtp.key"), cert: read("smtp.pem") };
};

/** Starts an implicit-TLS proxy of a plaintext server. */
const tlsBefore = async (port: number, options: { readonly key: string; readonly cert: string }) => {
  const server = createServer(options, (client) => {
    const upstream = connect(port, "127.0.0.1");
    client.on("error", () => upstream.destroy());
    upstream.on("error", () => client.destroy());
    client.pipe(upstream).pipe(client);
  });
  server.on("tlsClientError", () => {});
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
};

describeWithDovecot("mail servers signed by a private authority", () => {
  it("are trusted if MAIL_TLS_CA_FILE names it, and otherwise refused with a specific code [S1.3-9]", async () => {
    const runtime = ManagedRuntime.make(Layer.merge(Dovecot.layer({ tls: true }), ScriptedSmtp.layer()));
    onTestFinished(() => runtime.dispose());
    const [dovecot, smtp] = await runtime.runPromise(Effect.all([Dovecot, ScriptedSmtp]));
    await runtime.runPromise(dovecot.setPassword(USER, "pass"));
    smtp.setPassword(USER, "pass");
    const { ca, ...certificate } = authority();
    const [both, imapOnly] = [join(dataDir(), "both.pem"), join(dataDir(), "imap.pem")];
    writeFileSync(both, `${ca}\n# Dovecot's own\n${dovecot.tls!.ca}`);
    writeFileSync(imapOnly, dovecot.tls!.ca);
    const environment = {
      IMAP_URL: `imaps://127.0.0.1:${dovecot.tls!.port}`,
      SMTP_URL: `smtps://127.0.0.1:${await tlsBefore(smtp.port, certificate)}`,
    };
    const signedIn = async (base: string) =>
      (await (await post(base, "/api/auth/mobile-login", { email: USER, password: "pass" })).json()) as {
        token: string;
      };
    const sends = async (base: string) => {
      const message = { to: "a@y.test", subject: "hello", text: "hello" };
      const { token } = await signedIn(base);
      const sent = (await (await post(base, "/api/send", message, token)).json()) as { status: string };
      const outbox = await fetch(`${base}/api/outbox`, { headers: { authorization: `Bearer ${token}` } });
      return { status: sent.status, outbox: await outbox.text() };
    };

    const trusting = await started({ ...environment, MAIL_TLS_CA_FILE: both });
    expect((await sends(trusting.base)).status).toBe("sent");
    const half = await started({ ...environment, MAIL_TLS_CA_FILE: imapOnly, DATA_DIR: join(dataDir(), "half") });
    const queued = await sends(half.base);
    expect([queued.status, queued.outbox]).toEqual(["queued", expect.stringContaining('"untrusted"')]);
    const plain = await started({ ...environment, DATA_DIR: join(dataDir(), "plain") });
    const refused = await post(plain.base, "/api/auth/mobile-login", { email: USER, password: "pass" });
    expect(refused.status).toBe(502);
    expect(await refused.json()).toMatchObject({
      code: "mail_server_untrusted",
      detail: expect.stringContaining("MAIL_TLS_CA_FILE"),
    });
  });

  it("require a file with certificates", async () => {
    for (const [file, text] of [
      ["missing.pem", undefined],
      ["empty.pem", "no certificate"],
      ["broken.pem", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"],
    ] as const) {
      if (text !== undefined) writeFileSync(join(dataDir(), file), text);
      const server = await start({ MAIL_TLS_CA_FILE: join(dataDir(), file) });
      expect(await server.ended).toBe(1);
      expect(server.output()).toMatch(/^Postern cannot start: MAIL_TLS_CA_FILE [^\n]+; it takes [^\n]+\n$/);
    }
  });
});
