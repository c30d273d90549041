import { describeWithDovecot, Dovecot, ScriptedSmtp } from "@postern/testkit";
import { Effect, Layer } from "effect";
import { it } from "vitest";
import { stopUnderLoad } from "./stop-under-load.ts";

describeWithDovecot("SIGTERM under load", () => {
  it("answers every accepted request, and exits with 0 [S8.2-1] [S8.2-2] [S8.2-5]", () =>
    Effect.runPromise(stopUnderLoad(20).pipe(Effect.provide(Layer.merge(Dovecot.layer(), ScriptedSmtp.layer())))));
});
