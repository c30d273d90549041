import { layer } from "@effect/vitest";
import { AccountId } from "@postern/core/shared";
import { MessageParser } from "@postern/core/messages";
import { layer as mime } from "@postern/mime";
import { HOSTILE_MAILS, randomMails } from "@postern/testkit";
import { Effect } from "effect";
import { expect } from "vitest";

const ACCOUNT = AccountId("one@postern.test");

layer(mime(), { excludeTestServices: true })("any raw message", (it) => {
  for (const [what, make] of HOSTILE_MAILS) {
    it.effect(`${what}: is parsed or fails, and the next message is parsed`, () =>
      Effect.gen(function* () {
        const { report } = yield* MessageParser;
        const outcome = yield* Effect.result(report(ACCOUNT, what, make()));
        if (outcome._tag === "Failure") expect(["malformed", "too_slow", "crashed"]).toContain(outcome.failure.reason);
        expect((yield* report(ACCOUNT, "next", Buffer.from("Subject: ok\r\n\r\nok"))).headers).toEqual([
          ["Subject", "ok"],
        ]);
      }),
    );
  }

  it.effect("a thousand random messages are all parsed", () =>
    Effect.gen(function* () {
      const { report } = yield* MessageParser;
      for (const [n, raw] of randomMails(1000).entries()) yield* report(ACCOUNT, `r${n}`, raw);
    }),
  );
});
