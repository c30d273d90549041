import type { AccountId } from "../../shared/index.ts";

/** A sender that an account may use in From (spec 12.2). */
export interface Identity {
  readonly id: string;
  readonly name: string;
  readonly address: string;
  readonly replyTo: string | null;
  readonly signatureText: string;
  readonly signatureHtml: string;
  /** Whether messages without a named sender use this identity. Exactly one identity of an account is the default. */
  readonly isDefault: boolean;
  readonly verified: boolean;
}

/** A stored identity. Times in epoch milliseconds. */
export interface IdentityRecord extends Omit<Identity, "verified"> {
  readonly account: AccountId;
  readonly createdAt: number;
  /** The link that verifies the address; null once the address is verified. */
  readonly verification: { readonly hash: string; readonly until: number } | null;
}

/** The fields of an identity that a client sets. */
export interface IdentityFields {
  readonly name?: string | undefined;
  readonly replyTo?: string | null | undefined;
  readonly signatureText?: string | undefined;
  readonly signatureHtml?: string | undefined;
  readonly isDefault?: boolean | undefined;
}

/** An alias to add. */
export type NewAlias = IdentityFields & { readonly address: string };
