import { Layer } from "effect";
import { AccountRemoval } from "./auth/AccountRemoval.ts";
import { AccountSessions } from "./auth/AccountSessions.ts";
import { Authentication } from "./auth/Authentication.ts";
import { LoginThrottle } from "./auth/LoginThrottle.ts";
import { Refresh } from "./auth/Refresh.ts";
import { SignIn } from "./auth/SignIn.ts";
import { FolderManagement } from "./folders/FolderManagement.ts";
import { FolderRemover } from "./folders/FolderRemover.ts";
import { Folders } from "./folders/Folders.ts";
import { RemovalResumption } from "./folders/RemovalResumption.ts";
import { Inbox } from "./inbox/Inbox.ts";

const Auth = Layer.mergeAll(
  Layer.provideMerge(SignIn.layer, LoginThrottle.layer),
  Refresh.layer,
  Authentication.layer,
  AccountSessions.layer,
  AccountRemoval.layer,
);

/** Everything Postern can do, over whatever adapters stand behind its ports. */
export const UseCases = Layer.mergeAll(Auth, Inbox.layer, FolderManagement.layer, RemovalResumption).pipe(
  Layer.provideMerge(Layer.mergeAll(Folders.layer, FolderRemover.layer)),
);
