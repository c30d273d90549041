import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api";
import { Authorization } from "../Authorization.ts";
import { StoreUnavailable } from "../problems/mail-server.ts";
import { InvalidRequest, PayloadTooLarge, UnsupportedMediaType } from "../problems/requests.ts";
import { Count, Ok } from "../wire.ts";

/** A form may be so much larger than the file in it, in bytes. */
const FORM_BYTES = 1024 * 1024;
const FILE_BYTES = 25 * 1024 * 1024;

/** A form with a file; its parts are limited by the handler, which counts the file alone. */
const FileForm = Schema.Struct({
  file: Schema.String.annotate({ format: "binary", description: "One file, with its name; 25 MiB at most." }),
})
  .annotate({ identifier: "FileForm" })
  .pipe(
    HttpApiSchema.asMultipartStream({
      maxParts: 10,
      maxFieldSize: 64 * 1024,
      maxTotalSize: FILE_BYTES + FORM_BYTES,
    }),
  );

/** Spec 2.4, the attachment object. */
export const UploadedFile = Schema.Struct({
  id: Schema.String,
  name: Schema.String.annotate({ description: "Without folders before it." }),
  url: Schema.String.annotate({ description: "Relative; for `attachments` of `POST /api/send`, not for fetching." }),
  type: Schema.String,
  size: Count.annotate({ description: "Bytes." }),
}).annotate({ identifier: "UploadedFile" });

const upload = HttpApiEndpoint.post("upload", "/uploads", {
  payload: FileForm,
  success: Schema.Struct({ ok: Ok, data: UploadedFile }),
  error: [InvalidRequest, PayloadTooLarge, UnsupportedMediaType, StoreUnavailable],
})
  .annotate(OpenApi.Summary, "Upload a file to send")
  .annotate(
    OpenApi.Description,
    "A `multipart/form-data` body with one file in its field `file`. The answer's `data` goes into `attachments` of " +
      "`POST /api/send`, in as many messages as you like, within 24 hours; a message that waits to be sent keeps its files.",
  );

/** Files to be sent (spec 6). */
export class UploadsGroup extends HttpApiGroup.make("uploads")
  .add(upload)
  .prefix("/api")
  .middleware(Authorization)
  .annotate(OpenApi.Description, "Files to be attached to messages.") {}
