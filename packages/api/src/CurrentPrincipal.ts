import { Context } from "effect";

/** The account and session of a request whose credential was accepted. */
export class CurrentPrincipal extends Context.Service<
  CurrentPrincipal,
  { readonly account: string; readonly sessionId: string }
>()("@postern/api/CurrentPrincipal") {}
