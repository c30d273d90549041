import { layer as imap, type ImapOptions } from "@postern/imap";
import { Dovecot, dovecotControl, type DovecotOptions } from "@postern/testkit";
import { Effect, Layer } from "effect";
import { vaultInMemory } from "./doubles.ts";

/** The ports over a Dovecot of their own, with the means to steer it. */
export const imapOnDovecot = (dovecot: DovecotOptions = {}, options: Partial<ImapOptions> = {}) => {
  const ports = Layer.unwrap(
    Effect.map(Dovecot, ({ host, port }) => imap({ host, port, tls: "plaintext", ...options })),
  );
  return Layer.merge(ports, dovecotControl).pipe(
    Layer.provideMerge(vaultInMemory),
    Layer.provideMerge(Dovecot.layer(dovecot)),
  );
};
