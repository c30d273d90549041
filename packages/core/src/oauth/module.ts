import { Clock, Effect, Layer } from "effect";
import { AccountStanding } from "../accounts/index.ts";
import { creations } from "../creations/neighbours.ts";
import type { AccountData } from "../shared/neighbours.ts";
import { AccessTokens } from "./AccessTokens.ts";
import { Apps } from "./Apps.ts";
import { ConnectLinks } from "./ConnectLinks.ts";
import { Consents } from "./Consents.ts";
import { CredentialRefusals } from "./CredentialRefusals.ts";
import { MailCredentials } from "./MailCredentials.ts";
import { ConnectAttempts } from "./ports/ConnectAttempts.ts";

/** The domain of OAuth2: apps, grants, and the credentials with which the mail adapters sign in. */
export const oauth = {
  layer: Layer.mergeAll(MailCredentials.layer, Consents.layer, ConnectLinks.layer).pipe(
    Layer.provideMerge(AccessTokens.layer),
    Layer.provideMerge(Layer.merge(Apps.layer, CredentialRefusals.layer)),
    Layer.provide([AccountStanding.layer, creations.layer]),
  ),
  data: Effect.map(
    ConnectAttempts,
    ({ removeOf }) =>
      ({
        name: "connect attempts",
        endKey: (key) =>
          Effect.map(
            Effect.flatMap(Clock.currentTimeMillis, (now) => removeOf(key, now)),
            (links) => ({ links }),
          ),
      }) satisfies AccountData,
  ),
  sweeps: Effect.map(ConnectAttempts, ({ removeExpired }) => [
    Effect.flatMap(Clock.currentTimeMillis, (now) => removeExpired(now)),
  ]),
};
