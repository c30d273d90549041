import {
  openConversation,
  Cyrus,
  Dovecot,
  type DovecotOptions,
  imapProxy,
  type ImapProxy,
  ScriptedSmtp,
} from "@postern/testkit";
import { Context, Effect, Exit, Layer, Scope } from "effect";
import { countedPort, type CountedPort } from "./counted-port.ts";

/** The password of every account. */
export const PASSWORD = "pass";

/** A separate mail host: an IMAP and an SMTP server at one loopback address, with counters of their connections. */
export interface MailSite {
  readonly host: string;
  /** The servers of its accounts, for `POST /api/accounts`. */
  readonly servers: { readonly imap: object; readonly smtp: object };
  /** The certificate authority of its IMAP server. */
  readonly ca: string | null;
  readonly imap: CountedPort;
  readonly smtp: CountedPort;
  /** Rewrites the lines of the IMAP server and its clients. */
  readonly proxy: ImapProxy | null;
  readonly sent: ScriptedSmtp["Service"]["taken"];
  readonly addUser: (user: string) => Promise<void>;
  /** Appends a message to an account's INBOX. */
  readonly deliver: (user: string, subject: string) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** An IMAP server; `rewritten` puts an `ImapProxy` before it, which has no TLS. */
export type ImapKind = "cyrus" | (DovecotOptions & { readonly rewritten?: boolean });

const imapOf = (
  kind: ImapKind,
): Effect.Effect<Pick<Dovecot["Service"], "port" | "setPassword" | "tls">, never, Scope.Scope> =>
  kind === "cyrus"
    ? Effect.map(Layer.build(Cyrus.layer()), (built) => ({ ...Context.get(built, Cyrus), tls: null }))
    : Effect.map(Layer.build(Dovecot.layer(kind)), (built) => Context.get(built, Dovecot));

/** Starts a mail host at a loopback address. A server with TLS has a certificate for 127.0.0.1. */
export const startMailSite = async (host: string, kind: ImapKind): Promise<MailSite> => {
  const scope = await Effect.runPromise(Scope.make());
  const run = <A>(effect: Effect.Effect<A, never, Scope.Scope>) =>
    Effect.runPromise(Effect.provideService(effect, Scope.Scope, scope));
  const server = await run(imapOf(kind));
  const smtpServer = await run(
    Effect.map(Layer.build(ScriptedSmtp.layer()), (built) => Context.get(built, ScriptedSmtp)),
  );
  const proxy = kind !== "cyrus" && kind.rewritten ? await run(imapProxy(server.port)) : null;
  const imap = await countedPort(host, proxy?.port ?? server.port);
  const smtp = await countedPort(host, smtpServer.port);
  const command = async (user: string, ...words: ReadonlyArray<string | Buffer>) => {
    const session = await openConversation("127.0.0.1", server.port, user, PASSWORD);
    try {
      return await session.command(...words);
    } finally {
      session.close();
    }
  };
  return {
    host,
    servers: {
      imap: { host, port: imap.port, security: "starttls" },
      smtp: { host, port: smtp.port, security: "starttls" },
    },
    ca: server.tls?.ca ?? null,
    imap,
    smtp,
    proxy,
    sent: smtpServer.taken,
    addUser: async (user) => {
      smtpServer.setPassword(user, PASSWORD);
      await Effect.runPromise(server.setPassword(user, PASSWORD));
      // Dovecot creates the special folders itself.
      if (kind === "cyrus") await command(user, "CREATE Sent (USE (\\Sent))");
    },
    deliver: async (user, subject) => {
      const header = `From: a@y.test\r\nTo: ${user}\r\nMessage-ID: <${subject.replaceAll(" ", "-")}@y.test>`;
      await command(user, "APPEND INBOX", Buffer.from(`${header}\r\nSubject: ${subject}\r\n\r\nText.\r\n`));
    },
    stop: async () => {
      imap.close();
      smtp.close();
      await Effect.runPromise(Scope.close(scope, Exit.void));
    },
  };
};
