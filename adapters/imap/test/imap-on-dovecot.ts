import type { MailServer } from "@postern/core/mail";
import { layer as imap, type ImapOptions } from "@postern/imap";
import { Dovecot, dovecotControl, type DovecotOptions, mailServersAt, passwordsOnly } from "@postern/testkit";
import { Effect, Layer } from "effect";
import { vaultInMemory } from "./doubles.ts";

/** The ports over a new Dovecot, with its control. */
export const imapOnDovecot = (
  dovecot: DovecotOptions = {},
  options: ImapOptions = {},
  tls: MailServer["tls"] = "plaintext",
  credentials = passwordsOnly,
) => {
  const ports = Layer.unwrap(
    Effect.map(Dovecot, ({ host, port }) =>
      Layer.provide(imap(options), mailServersAt({ host, port, tls }, credentials)),
    ),
  );
  return Layer.merge(ports, dovecotControl).pipe(
    Layer.provideMerge(vaultInMemory),
    Layer.provideMerge(Dovecot.layer(dovecot)),
  );
};
