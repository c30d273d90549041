import { Count, MAX_ATTACHMENT_BYTES, RecordId } from "@postern/core/rules";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api";
import { Authorization } from "../auth/Authorization.ts";
import { REPEAT_PROBLEMS } from "../problems/creations.ts";
import { CreationKeyHeaders } from "../records/preconditions.ts";
import { documented } from "../document/documented.ts";
import { Bytes, rangeHeaders } from "../records/downloads.ts";
import { UPLOAD } from "../examples/outgoing.ts";
import { StoreUnavailable } from "../problems/mail-server.ts";
import { InvalidRequest, PayloadTooLarge, RangeUnsatisfiable, UnsupportedMediaType } from "../problems/requests.ts";
import { UploadNotFound } from "../problems/send.ts";
import { Ok } from "../records/wire.ts";

/** The maximum size of a form in bytes: the largest file, and 1 MiB for the other parts. */
export const MAX_FORM_BYTES = MAX_ATTACHMENT_BYTES + 1024 * 1024;

/** A form with a file; the handler limits the size of the file. */
const FileForm = Schema.Struct({
  file: Schema.String.annotate({ format: "binary", description: "The file, with its name; at most 25 MiB." }),
})
  .annotate({ identifier: "FileForm", description: "A form with one file." })
  .pipe(
    HttpApiSchema.asMultipartStream({
      maxParts: 10,
      maxFieldSize: 64 * 1024,
      maxTotalSize: MAX_FORM_BYTES,
    }),
  );

/** An uploaded file: the attachment object of spec 2.4. */
export const UploadedFile = Schema.Struct({
  id: Schema.String.annotate({ description: "Id of the upload." }),
  name: Schema.String.annotate({ description: "File name, without folders." }),
  url: Schema.String.annotate({
    description: "Relative path for `attachments` of `POST /api/send`, and to download the file.",
  }),
  type: Schema.String.annotate({ description: "Media type, as the client declared it." }),
  size: Count.annotate({ description: "Size in bytes." }),
}).annotate({ identifier: "UploadedFile", description: "An uploaded file." });

const upload = HttpApiEndpoint.post("upload", "/uploads", {
  headers: CreationKeyHeaders,
  payload: FileForm,
  success: Schema.Struct({ ok: Ok, data: UploadedFile }),
  error: [InvalidRequest, PayloadTooLarge, UnsupportedMediaType, StoreUnavailable, ...REPEAT_PROBLEMS],
}).annotateMerge(
  documented({
    scope: ["mail:draft", "mail:send"],
    summary: "Upload a file to send",
    description:
      "Takes a `multipart/form-data` body with one file in its field `file`. Put `data` of the answer into " +
      "`attachments` of `POST /api/send` within 24 hours, for any number of messages; a message that waits to be " +
      "sent keeps its files. A repeat creates another upload, unless both requests have the same " +
      "`Idempotency-Key`. A repeat must contain the file again, because Postern compares the files.",
    request: { file: "%PDF-1.7…" },
    answer: { ok: true, data: UPLOAD },
  }),
);

const download = HttpApiEndpoint.get("download", "/uploads/:id", {
  params: { id: RecordId.annotate({ description: "Id of the upload.", examples: [UPLOAD.id] }) },
  headers: rangeHeaders,
  success: Bytes,
  error: [UploadNotFound, RangeUnsatisfiable, StoreUnavailable],
}).annotateMerge(
  documented({
    scope: ["mail:draft", "mail:send"],
    summary: "Download an upload",
    description:
      "Streams a file that the account uploaded, such as a picture of a draft, as long as the upload is kept. The " +
      "answer has an `ETag`; the answer to a `Range` is 206. `Content-Type` is that of the file if browsers do not " +
      "run such files, otherwise `application/octet-stream`.",
    answer: "%PDF-1.7…",
  }),
);

/** Files to be sent (spec 6). */
export class UploadsGroup extends HttpApiGroup.make("uploads")
  .add(upload)
  .add(download)
  .prefix("/api")
  .middleware(Authorization)
  .annotate(OpenApi.Title, "Uploads")
  .annotate(OpenApi.Description, "Upload the files that messages attach, and read them back.") {}
