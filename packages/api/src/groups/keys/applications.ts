import { Count, keyFields } from "@postern/core/rules";
import { Schema } from "effect";
import { Version } from "../../records/preconditions.ts";
import { Instant } from "../../records/wire.ts";

const NAME = "Name of the application.";

const text = (description: string) => Schema.NullOr(Schema.String).annotate({ description });

/** An application: the keys that share its name (spec 10.2). */
export const Application = Schema.Struct({
  id: Schema.String.annotate({ description: NAME }),
  version: Version,
  name: Schema.String.annotate({ description: NAME }),
  keys: Count.annotate({ description: "Keys of the application, expired ones included." }),
  suspendedAt: Schema.NullOr(Instant).annotate({
    description: "When the application was suspended; null if it is not suspended.",
  }),
  displayName: text("Name that users see; null: the application's name."),
  purpose: text("Purpose of the connection, shown to users; null: not shown."),
  colour: text("Colour of the page on which users connect a mailbox; null: Postern's colour."),
  logo: text("PNG in base64, shown on that page; null: none."),
  notify: text("Address for notices about its webhook endpoints; null: the addresses of its keys."),
}).annotate({
  identifier: "Application",
  description: "An application: its profile for users, and its address for notices about its endpoints.",
});

const orNull = <S extends Schema.Top>(field: S, description: string) =>
  Schema.optionalKey(Schema.NullOr(field).annotate({ description: `${description} Null removes it.` }));

export const ApplicationChange = Schema.Struct({
  displayName: orNull(keyFields.displayName, "Name that users see."),
  purpose: orNull(keyFields.purpose, "Why the application needs a mailbox, in one sentence."),
  colour: orNull(keyFields.colour, "Colour of the page on which users connect a mailbox, as `#rrggbb`."),
  logo: orNull(keyFields.logo, "A PNG of at most 32 KiB, in base64."),
  notify: orNull(keyFields.notify, "Address for notices about its webhook endpoints, in place of those of its keys."),
}).annotate({ identifier: "ApplicationChange", description: "Fields of an application to change; omitted ones stay." });
