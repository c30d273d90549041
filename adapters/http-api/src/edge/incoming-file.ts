import { MAX_FORM_BYTES } from "@postern/api";
import { MAX_ATTACHMENT_BYTES } from "@postern/core/rules";
import { type IncomingFile, UploadMalformed, UploadTooLarge } from "@postern/core/send";
import { Effect, Pull, type Scope, Stream } from "effect";
import type { HttpServerRequest, Multipart } from "effect/http";
import { UNKNOWN_MEMBER } from "./refusals.ts";

type IncomingFault = UploadMalformed | UploadTooLarge;

const FIELD = "file";
const NO_FILE = { field: FIELD, message: "must be a file with a name, before any other file of the form" };
const unknownField = (field: string) => ({ field, message: UNKNOWN_MEMBER });

/**
 * Returns the single file of a form (spec 6) as a stream. An incomplete body or a second file is detected only at the
 * end of the stream: until then a truncated body looks like a shorter file.
 */
export const incomingFile = Effect.fnUntraced(function* (
  parts: Stream.Stream<Multipart.Part, Multipart.MultipartError>,
  { headers }: Pick<HttpServerRequest.HttpServerRequest, "headers">,
): Effect.fn.Return<IncomingFile<IncomingFault, never>, IncomingFault, Scope.Scope> {
  // A body that is announced as too large is refused before it is read.
  if (Number(headers["content-length"]) > MAX_FORM_BYTES) {
    return yield* new UploadTooLarge({ maxBytes: MAX_ATTACHMENT_BYTES });
  }
  const pull = yield* Stream.toPull(Stream.mapError(parts, faultOf));
  const waiting: Array<Multipart.Part> = [];
  const nextFile: Effect.Effect<Multipart.File | undefined, IncomingFault> = Effect.gen(function* () {
    for (;;) {
      const part = waiting.shift();
      if (part?._tag === "File") return part;
      if (part !== undefined) return yield* new UploadMalformed(part.key === FIELD ? NO_FILE : unknownField(part.key));
      const more = yield* Pull.catchDone(pull, () => Effect.succeed([]));
      if (more.length === 0) return undefined;
      waiting.push(...more);
    }
  });

  const file = yield* nextFile;
  // A browser sends a file without a name if the user chose none.
  if (file === undefined || file.key !== FIELD || file.name === "") {
    return yield* new UploadMalformed(NO_FILE);
  }
  const noOther = Effect.flatMap(nextFile, (other) =>
    other === undefined
      ? Effect.void
      : new UploadMalformed({ field: FIELD, message: "must be the only file of the form" }),
  );
  return {
    name: file.name,
    type: file.contentType,
    bytes: Stream.concat(Stream.mapError(file.content, faultOf), Stream.fromEffectDrain(noOther)),
  };
});

const faultOf = ({ reason }: Multipart.MultipartError): IncomingFault => {
  switch (reason._tag) {
    case "BodyTooLarge":
    case "FileTooLarge":
    case "FieldTooLarge":
    case "TooManyParts":
      return new UploadTooLarge({ maxBytes: MAX_ATTACHMENT_BYTES });
    case "Parse":
    case "InternalError":
      return new UploadMalformed({
        field: FIELD,
        message: "could not be read: the body is not multipart/form-data, or was cut off",
      });
  }
};
