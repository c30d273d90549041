import { Context } from "effect";

/** What the path of every address of the service begins with, such as `/mail`; empty where it has an origin to itself. */
export const PathPrefix = Context.Reference<string>("@postern/core/shared/PathPrefix", { defaultValue: () => "" });
