import { Layer } from "effect";
import { Authentication } from "./auth/Authentication.ts";
import { SignIn } from "./auth/SignIn.ts";
import { Folders } from "./folders/Folders.ts";
import { Inbox } from "./inbox/Inbox.ts";

/** Everything Postern can do, over whatever adapters stand behind its ports. */
export const UseCases = Layer.mergeAll(SignIn.layer, Authentication.layer, Inbox.layer).pipe(
  Layer.provideMerge(Folders.layer),
);
