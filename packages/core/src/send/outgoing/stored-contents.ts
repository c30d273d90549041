import { Schema } from "effect";

const Text = Schema.String;
const Person = Schema.Struct({ name: Text, address: Text });
const People = Schema.Array(Person);

/** A person in stored JSON. */
export const storedPerson = Person;

/** The members that the JSON of a draft and of a journaled message have in common. */
export const storedContents = {
  to: People,
  cc: People,
  bcc: People,
  replyTo: People,
  subject: Text,
  text: Schema.NullOr(Text),
  html: Schema.NullOr(Text),
  inReplyTo: Schema.NullOr(Text),
  references: Schema.Array(Text),
  headers: Schema.Array(Schema.Tuple([Text, Text])),
  attachments: Schema.Array(
    Schema.Struct({
      uploadId: Text,
      name: Text,
      type: Text,
      size: Schema.Number,
      contentId: Schema.NullOr(Text),
    }),
  ),
};
