import { describeWithDovecot, Dovecot, ScriptedSmtp } from "@postern/testkit";
import { Effect, Layer } from "effect";
import { it } from "vitest";
import { stopUnderLoad } from "./stop-under-load.ts";

describeWithDovecot("SIGTERM under load", () => {
  it("leaves no accepted request without an answer, and ends with 0", () =>
    Effect.runPromise(stopUnderLoad(20).pipe(Effect.provide(Layer.merge(Dovecot.layer(), ScriptedSmtp.layer())))));
});
