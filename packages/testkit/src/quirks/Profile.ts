import type { Quirk } from "./Quirk.ts";

/** A mail server as the quirk proxy imitates it. */
export interface Profile {
  readonly name: string;
  readonly server: string;
  readonly quirks: ReadonlyArray<Quirk>;
}
