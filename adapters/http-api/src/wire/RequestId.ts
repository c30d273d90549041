import { Context } from "effect";

/** The `X-Request-Id` of the current request, which leads from a problem to its log lines (spec 2). */
export const RequestId = Context.Reference<string>("@postern/http-api/RequestId", { defaultValue: () => "none" });
