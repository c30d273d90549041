import { layer as imap, type ImapOptions } from "@postern/imap";
import { Cyrus, cyrusControl, type CyrusOptions, mailServersAt } from "@postern/testkit";
import { Effect, Layer } from "effect";
import { vaultInMemory } from "./doubles.ts";

/** The ports over a new Cyrus, with its control. */
export const imapOnCyrus = (cyrus: CyrusOptions = {}, options: ImapOptions = {}) => {
  const ports = Layer.unwrap(
    Effect.map(Cyrus, ({ host, port }) => Layer.provide(imap(options), mailServersAt({ host, port }))),
  );
  const prefix = cyrus.prefixed === true ? `INBOX${cyrus.separator ?? "/"}` : "";
  return Layer.merge(ports, cyrusControl(prefix)).pipe(
    Layer.provideMerge(vaultInMemory),
    Layer.provideMerge(Cyrus.layer(cyrus)),
  );
};
