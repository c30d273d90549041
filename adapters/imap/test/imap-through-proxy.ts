import { type ImapOptions, layer as imap } from "@postern/imap";
import {
  Dovecot,
  dovecotControl,
  type DovecotOptions,
  type ImapProxy,
  imapProxy,
  type ImapRewrite,
  mailServersAt,
} from "@postern/testkit";
import { Context, Effect, Layer } from "effect";
import { vaultInMemory } from "./doubles.ts";

/** The proxy in front of a suite's Dovecot. */
export class Proxy extends Context.Service<Proxy, ImapProxy>()("@postern/imap/test/Proxy") {}

/** The ports over a new Dovecot whose lines a proxy rewrites; the control bypasses the proxy. */
export const imapThroughProxy = (rewrite: ImapRewrite = {}, dovecot: DovecotOptions = {}, options?: ImapOptions) => {
  const proxied = Layer.effect(
    Proxy,
    Effect.flatMap(Dovecot, ({ port }) => imapProxy(port, rewrite)),
  );
  const ports = Layer.unwrap(
    Effect.map(Proxy, ({ port }) => Layer.provide(imap(options), mailServersAt({ host: "127.0.0.1", port }))),
  );
  return Layer.merge(Layer.provideMerge(ports, proxied), dovecotControl).pipe(
    Layer.provideMerge(vaultInMemory),
    Layer.provideMerge(Dovecot.layer(dovecot)),
  );
};
