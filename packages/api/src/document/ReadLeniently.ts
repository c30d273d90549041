import { Context } from "effect";

/** Annotation of operations that ignore unknown parts of a request instead of refusing them (spec 2). */
export const ReadLeniently = Context.Reference<boolean>("@postern/api/ReadLeniently", { defaultValue: () => false });
