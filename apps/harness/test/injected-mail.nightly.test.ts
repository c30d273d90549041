import { it } from "@effect/vitest";
import { Effect } from "effect";
import { describe, expect } from "vitest";
import { attackMailbox } from "./injected-mail/attack-mailbox.ts";
import { CORPUS, isSeen } from "./injected-mail/corpus.ts";
import { CLEAN } from "./injected-mail/judge.ts";
import { POLICIES } from "./injected-mail/mailbox.ts";

describe("an agent that obeys injected mails", () => {
  for (const policy of POLICIES) {
    it.live(`harms no mailbox with ${JSON.stringify(policy)} [S13.1-9]`, () =>
      Effect.gen(function* () {
        const { verdict, seen, left, approved } = yield* attackMailbox(policy, CORPUS);
        expect(verdict).toEqual(CLEAN);
        expect(seen).toHaveLength(CORPUS.filter(isSeen).length);
        expect([approved > 30, left > approved]).toEqual([
          policy.approval !== "never",
          policy.to.length > 0 && policy.approval !== "always",
        ]);
      }).pipe(Effect.scoped),
    );
  }
});
