import { layer as imap, type ImapOptions } from "@postern/imap";
import { Courier, courierControl, mailServersAt } from "@postern/testkit";
import { Effect, Layer } from "effect";
import { vaultInMemory } from "./doubles.ts";

/** The ports over a new Courier, with its control. */
export const imapOnCourier = (options: ImapOptions = {}) => {
  const ports = Layer.unwrap(
    Effect.map(Courier, ({ host, port }) => Layer.provide(imap(options), mailServersAt({ host, port }))),
  );
  return Layer.merge(ports, courierControl).pipe(Layer.provideMerge(vaultInMemory), Layer.provideMerge(Courier.layer));
};
