import { Context } from "effect";

/** The `X-Request-Id` of the current request, which finds a problem in the log (spec 2). */
export const RequestId = Context.Reference<string>("@postern/http-api/RequestId", { defaultValue: () => "none" });
