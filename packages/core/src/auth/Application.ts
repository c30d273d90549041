/** An application: the keys with its name, and how users see it (spec 10.2). */
export interface Application {
  readonly name: string;
  /** The number of the application's keys. */
  readonly keys: number;
  /** When the application was suspended, in epoch milliseconds; null if it is not suspended. */
  readonly suspendedAt: number | null;
  /** The name that users see instead of `name`. */
  readonly displayName: string | null;
  /** One sentence about why the application needs a mailbox. */
  readonly purpose: string | null;
  /** `#rrggbb` */
  readonly colour: string | null;
  /** A PNG of at most 32 KiB, in base64. */
  readonly logo: string | null;
  /** The address for notices about its webhook endpoints; it replaces the addresses of the keys. */
  readonly notify: string | null;
}

/** The fields of an application that the operator may change; null removes a field. */
export type ApplicationChanges = Partial<Pick<Application, "displayName" | "purpose" | "colour" | "logo" | "notify">>;
