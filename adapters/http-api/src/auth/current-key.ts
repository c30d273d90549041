import { CurrentPrincipal } from "@postern/api";
import { Effect } from "effect";

/** The service key of this request; null for a person and for the operator. */
export const currentKey = Effect.map(CurrentPrincipal, ({ key }) => key);
