import { Context } from "effect";

/** An annotation for operations that ignore unknown parts of a request (spec 2). */
export const ReadLeniently = Context.Reference<boolean>("@postern/api/ReadLeniently", { defaultValue: () => false });
