import { connect } from "node:net";
import { assert, it } from "@effect/vitest";
import { Effect, Exit, Layer, Redacted, Scope } from "effect";
import {
  describeWithDovecot,
  Dovecot,
  dovecotControl,
  MailServerControl,
  plainMessage,
  type DovecotOptions,
} from "../src/index.ts";
import { openConversation } from "../src/controls/mail-conversation.ts";

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.on("data", () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });

describeWithDovecot("Dovecot of the testkit", () => {
  const steered = (options: DovecotOptions = {}) => Layer.provideMerge(dovecotControl, Dovecot.layer(options));

  it.live("runs while its scope is open and is removed after it, even after a failure", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make();
      const context = yield* Layer.buildWithScope(steered(), scope);
      const { port, stop, start } = yield* Effect.provide(Dovecot, context);
      assert.isTrue(yield* Effect.promise(() => answers(port)));
      yield* stop;
      assert.isFalse(yield* Effect.promise(() => answers(port)));
      yield* start;
      assert.isTrue(yield* Effect.promise(() => answers(port)));
      yield* Scope.close(scope, Exit.die("a test that fails"));
      assert.isFalse(yield* Effect.promise(() => answers(port)));
    }),
  );

  it.live("ends open sessions when it stops", () =>
    Effect.gen(function* () {
      const { host, port, stop } = yield* Dovecot;
      const { credential } = yield* (yield* MailServerControl).newAccount;
      const conversation = yield* Effect.promise(() =>
        openConversation(host, port, credential.username, Redacted.value(credential.password)),
      );
      yield* stop;
      yield* Effect.sleep(20);
      assert.isFalse(conversation.isOpen());
    }).pipe(Effect.provide(steered())),
  );

  it.live("lists messages delivered as files in their order, with their flags and times", () =>
    Effect.gen(function* () {
      const { host, port, deliver } = yield* Dovecot;
      const { credential } = yield* (yield* MailServerControl).newAccount;
      const messages = Array.from({ length: 30 }, (_, n) => ({
        raw: plainMessage(`message ${n}`),
        arrivedAt: Date.UTC(2025, 0, 31 - n),
        flags: n % 2 === 0 ? "S" : "",
      }));
      yield* deliver(credential.username, "INBOX", messages);
      yield* deliver(credential.username, "Größe.x.y", messages.slice(0, 1));
      const conversation = yield* Effect.promise(() =>
        openConversation(host, port, credential.username, Redacted.value(credential.password)),
      );
      const command = (...words: ReadonlyArray<string>) => Effect.promise(() => conversation.command(...words));
      yield* command("SELECT INBOX");
      const rows = yield* command("FETCH 1:* (FLAGS INTERNALDATE BODY.PEEK[HEADER.FIELDS (SUBJECT)])");
      conversation.close();
      assert.deepStrictEqual(
        [...rows.matchAll(/Subject: message (\d+)/g)].map((found) => Number(found[1])),
        messages.map((_, n) => n),
      );
      assert.lengthOf(rows.match(/\\Seen/g) ?? [], 15);
      assert.include(rows.split("\n")[0], '"31-Jan-2025 00:00:00 +0000"');
    }).pipe(Effect.provide(steered({ separator: "." }))),
  );
});
