import { Layer } from "effect";
import { layer as ConnectAttempts } from "./ConnectAttempts.ts";
import { layer as Grants } from "./Grants.ts";
import { layer as OAuthApps } from "./OAuthApps.ts";

/** The stores of `oauth`. */
export const layer = Layer.mergeAll(ConnectAttempts, Grants, OAuthApps);
