import { parseArgs } from "node:util";
import { Effect } from "effect";
import { Dovecot, imapProxy, profileOf, PROFILES, quirkRewrite } from "../src/index.ts";

const USER = { name: "demo@example.org", password: "demo" };

const { values } = parseArgs({ options: { profile: { type: "string" }, port: { type: "string" } } });

/** Starts the proxy before a server that listens on loopback, or before a private Dovecot. */
const start = Effect.gen(function* () {
  const { name, server, quirks } = profileOf(values.profile ?? "");
  let port = Number(values.port ?? 0);
  if (port === 0) {
    const dovecot = yield* Dovecot;
    yield* dovecot.setPassword(USER.name, USER.password);
    port = dovecot.port;
  }
  const proxy = yield* imapProxy(port, quirkRewrite(quirks));
  console.log(`${name}: behaves like ${server}, by ${quirks.length} rules:`);
  for (const quirk of quirks) console.log(`  ${quirk.kind} (${quirk.evidence})`);
  console.log(`IMAP_URL=imap://127.0.0.1:${proxy.port}`);
  if (values.port === undefined) console.log(`user ${USER.name}, password ${USER.password}`);
  return yield* Effect.never;
});

if (values.profile === undefined) {
  console.log("usage: npm run quirks -- --profile NAME [--port PORT of an IMAP server on loopback]");
  for (const { name, server } of PROFILES) console.log(`  ${name}: ${server}`);
} else {
  await Effect.runPromise(start.pipe(Effect.provide(Dovecot.layer({ all: "[Gmail]/All Mail" })), Effect.scoped));
}
