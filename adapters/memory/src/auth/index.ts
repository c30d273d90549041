import { Layer } from "effect";
import { layer as AccountErasures } from "./AccountErasures.ts";
import { layer as Applications } from "./Applications.ts";
import { layer as CredentialVault } from "./CredentialVault.ts";
import { layer as LoginAttempts } from "./LoginAttempts.ts";
import { layer as ServiceKeys } from "./ServiceKeys.ts";
import { layer as Sessions } from "./Sessions.ts";
import { layer as WrongKeys } from "./WrongKeys.ts";

/** The stores of `auth`. */
export const layer = Layer.mergeAll(
  AccountErasures,
  Applications,
  CredentialVault,
  LoginAttempts,
  ServiceKeys,
  Sessions,
  WrongKeys,
);
