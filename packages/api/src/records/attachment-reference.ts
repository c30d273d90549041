import { attachmentFields, Text } from "@postern/core/rules";
import { Schema } from "effect";

/** An uploaded file, or a file in the request (spec 2.4). */
export const AttachmentReference = Schema.Struct({
  id: Schema.optionalKey(
    attachmentFields.id.annotate({ description: "Id of the upload. Required without `content`." }),
  ),
  content: Schema.optionalKey(
    Text.annotate({
      description: "The file as base64, instead of an upload. All such files of a request have at most 5 MiB, decoded.",
    }),
  ),
  name: Schema.optionalKey(
    Text.annotate({
      description:
        "File name for the recipient. Default: the name of the upload, or `attachment` for a file in `content`.",
    }),
  ),
  url: Schema.optionalKey(
    attachmentFields.url.annotate({ description: "`url` of the upload, checked if given. It is never fetched." }),
  ),
  type: Schema.optionalKey(
    Text.annotate({
      description:
        "Media type. Default: the type of the upload, or `application/octet-stream` for a file in `content`.",
    }),
  ),
  size: Schema.optionalKey(attachmentFields.size.annotate({ description: "Size in bytes; ignored." })),
  contentId: Schema.optionalKey(
    Text.annotate({ description: "Content-ID of a picture that the HTML shows as `cid:…`." }),
  ),
}).annotate({ identifier: "AttachmentReference", description: "A file to attach: an upload, or its content." });
