import type { BodyPart } from "@postern/core/mail";
import type { MessageStructureObject } from "imapflow";
import { decodedSize, TYPE } from "./attachments.ts";

/** Maximum depth of the tree; deeper parts are left out. */
const MAX_DEPTH = 100;

/** Returns a message's MIME tree as the server parsed it, without the parts of forwarded messages. */
export const bodyPart = (node: MessageStructureObject, depth = 0): BodyPart => {
  const type = TYPE.test(node.type) ? node.type : "text/plain";
  const isMultipart = type.startsWith("multipart/");
  return {
    section: node.part ?? (isMultipart ? "" : "1"),
    type,
    parameters: node.parameters ?? {},
    encoding: node.encoding?.toLowerCase() ?? "7bit",
    size: decodedSize(node.size ?? 0, node.encoding),
    name: node.dispositionParameters?.["filename"] || node.parameters?.["name"] || null,
    disposition: node.disposition?.toLowerCase() ?? null,
    contentId: node.id?.replace(/^<(.*)>$/, "$1") || null,
    parts: isMultipart && depth < MAX_DEPTH ? (node.childNodes ?? []).map((child) => bodyPart(child, depth + 1)) : [],
  };
};
