/** A grant as its assistant knows it. */
export interface WalkedGrant {
  readonly id: string;
  access: string;
  accessUntil: number;
  refresh: string;
  readonly replaced: Array<string>;
  expiresAt: number;
  name: string;
  policy: { readonly to: ReadonlyArray<string>; readonly approval: "always" | "outside" | "never" };
  isEnded: boolean;
}
