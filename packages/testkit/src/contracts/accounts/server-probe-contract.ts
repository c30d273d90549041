import { assert, layer } from "@effect/vitest";
import { ConnectionCause, ServerProbe } from "@postern/core/accounts";
import { AccountId } from "@postern/core/shared";
import { Effect, type Layer, Redacted } from "effect";
import { type MailProtocol, ProbedServers } from "../../controls/ProbedServers.ts";

/** The causes that a client knows before it sends a byte. */
const BEFORE_ANY_BYTE: ReadonlyArray<ConnectionCause> = [
  "not_found",
  "address_denied",
  "refused",
  "timeout",
  "tls_failed",
  "certificate_untrusted",
  "not_a_mail_server",
];

/** Causes that end a connection before the sign-in. */
const BEFORE_THE_PASSWORD: ReadonlyArray<ConnectionCause> = [...BEFORE_ANY_BYTE, "starttls_missing", "oauth_required"];

const ACCOUNT = AccountId("jane@example.org");

/** The contract of `ServerProbe` for one protocol (spec 10.3); an adapter may implement one half. */
export const serverProbeContract = <E>(
  name: string,
  protocol: MailProtocol,
  live: Layer.Layer<ServerProbe | ProbedServers, E>,
): void =>
  layer(live, { excludeTestServices: true })(name, (it) => {
    const probed = Effect.fnUntraced(function* (behaviour: ConnectionCause | "accepts") {
      const { imap, smtp } = yield* ServerProbe;
      const probe = protocol === "imap" ? imap : smtp;
      const { server, credential, received } = yield* (yield* ProbedServers).start(protocol, behaviour);
      const result = yield* probe(server, credential, ACCOUNT);
      return { result, server, credential, received };
    });

    it.effect("accepts a correct credential, and returns the server's capabilities", () =>
      Effect.gen(function* () {
        const { result } = yield* probed("accepts");
        assert(result._tag === "Accepted");
        assert.isNotEmpty(result.capabilities);
        assert.deepStrictEqual(result.capabilities, result.capabilities.toSorted());
        if (protocol === "smtp") assert.isNull(result.present);
        else assert.isAtLeast(result.present?.uidNext ?? 0, 1);
      }),
    );

    it.effect("signs in with the user name of the server's record", () =>
      Effect.gen(function* () {
        const { server, credential } = yield* probed("accepts");
        const { imap, smtp } = yield* ServerProbe;
        const probe = protocol === "imap" ? imap : smtp;
        const accepted = yield* probe(
          { ...server, username: credential.username },
          { ...credential, username: "elsewhere@example.org" },
          ACCOUNT,
        );
        assert.strictEqual(accepted._tag, "Accepted");
        assert.deepStrictEqual(yield* probe({ ...server, username: "elsewhere" }, credential, ACCOUNT), {
          _tag: "Failed",
          cause: "auth_refused",
        });
      }),
    );

    it.effect("reports a credential that cannot be transmitted as refused, and sends it to no server", () =>
      Effect.gen(function* () {
        const { server, credential, received } = yield* probed("accepts");
        const { imap, smtp } = yield* ServerProbe;
        const before = received();
        for (const text of ["", "a\0b"]) {
          for (const impossible of [
            { ...credential, username: text },
            { ...credential, password: Redacted.make(text) },
          ]) {
            const result = yield* (protocol === "imap" ? imap : smtp)(server, impossible, ACCOUNT);
            assert.deepStrictEqual(result, { _tag: "Failed", cause: "auth_refused" });
          }
        }
        assert.strictEqual(received(), before);
      }),
    );

    it.effect.each(ConnectionCause.literals)("reports %s [S10.3-15]", (cause) =>
      Effect.gen(function* () {
        const { result, received, credential } = yield* probed(cause);
        assert(result._tag === "Failed");
        assert.strictEqual(result.cause, cause);
        if (BEFORE_ANY_BYTE.includes(cause)) assert.strictEqual(received(), "");
        const password = Redacted.value(credential.password);
        const encoded = Buffer.from(`\0${credential.username}\0${password}`).toString("base64");
        if (BEFORE_THE_PASSWORD.includes(cause)) {
          for (const secret of [password, encoded]) assert.notInclude(received(), secret);
        }
      }),
    );
  });
