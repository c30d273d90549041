import { Context } from "effect";

/** The beginning of each path of the service, such as `/mail`; empty if the service has its own origin. */
export const PathPrefix = Context.Reference<string>("@postern/core/shared/PathPrefix", { defaultValue: () => "" });
