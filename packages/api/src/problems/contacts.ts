import { problem } from "./problem.ts";

/** 404: the account has no such contact (spec 12.5). */
export class ContactNotFound extends problem<ContactNotFound>()(
  "contact_not_found",
  404,
  "Contact not found",
  "The account has no contact with this id, or has forgotten it. List them with GET /api/contacts.",
) {}
