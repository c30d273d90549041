import type { BodyPart } from "@postern/core/mail";
import { decodedSize, TYPE } from "./message-contents.ts";
import { structuredField } from "./mime-parameters.ts";
import type { MimeSection } from "./mime-sections.ts";

/** A part as a server's BODYSTRUCTURE shows it. */
export const bodyPart = ({ section, type: { value, parameters }, fields, body, parts }: MimeSection): BodyPart => {
  const isTyped = TYPE.test(value);
  const disposition = structuredField(fields.get("content-disposition") ?? "");
  return {
    section,
    type: isTyped ? value : "text/plain",
    parameters: isTyped ? Object.fromEntries(parameters) : {},
    encoding: encodingOf(fields),
    size: decodedSize(body, fields.get("content-transfer-encoding")),
    name: disposition.parameters.get("filename") || (isTyped && parameters.get("name")) || null,
    disposition: disposition.value || null,
    contentId: fields.get("content-id")?.replace(/^<(.*)>$/, "$1") || null,
    parts: parts.map(bodyPart),
  };
};

const encodingOf = (fields: MimeSection["fields"]): string =>
  structuredField(fields.get("content-transfer-encoding") ?? "7bit").value;
