import { accountIdOf } from "@postern/core/shared";
import { MailTransportInMemory, MailWorld, SmtpInMemory, StoresInMemory } from "@postern/memory";
import { MailTransportControl, passwordsOnly, type TakenMessage } from "@postern/testkit";
import { Effect, Layer, Option, Redacted } from "effect";
import { EmptyWorld } from "./MailWorldControl.ts";

const Control = Layer.effect(
  MailTransportControl,
  Effect.gen(function* () {
    const world = yield* MailWorld;
    const smtp = yield* SmtpInMemory;
    const taken: Array<TakenMessage> = [];
    smtp.onTaken = ({ from, recipients, raw }) =>
      void taken.push({ from, recipients, raw: Buffer.from(raw).toString("latin1") });
    let accounts = 0;
    return {
      newAccount: Effect.sync(() => {
        const username = `sender${++accounts}@postern.test`;
        world.addAccount(username, "right");
        return {
          account: Option.getOrThrow(accountIdOf(username)),
          credential: { _tag: "Password", username, password: Redacted.make("right") },
        };
      }),
      behave: (behaviour) => Effect.sync(() => void (smtp.conduct = behaviour)),
      stop: Effect.sync(() => void (smtp.isUp = false)),
      start: Effect.sync(() => void (smtp.isUp = true)),
      taken: (from) => Effect.sync(() => taken.filter((message) => message.from === from)),
    };
  }),
);

/** The fake transport over an empty mail world, with its control. */
export const MailTransportWithControl = Layer.merge(MailTransportInMemory, Control).pipe(
  Layer.provideMerge(Layer.mergeAll(EmptyWorld, SmtpInMemory.layer, Layer.provideMerge(passwordsOnly, StoresInMemory))),
);
