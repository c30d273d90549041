/** The tables of `oauth`. Grants are in the table `credential`. */
export interface OAuthTables {
  /** The JSON of an app, sealed by `RecordCipher`. */
  readonly oauth_app: { readonly id: string; readonly sealed: string };
  readonly connect_attempt: {
    /** The hash of the secret that names it. */
    readonly id: string;
    /** The JSON of the attempt, sealed by `RecordCipher`. */
    readonly sealed: string;
    /** Where a consent was begun; null for other attempts. */
    readonly network: string | null;
    readonly expires_at: number;
    /** The service key that made it, of a link. */
    readonly key: string | null;
  };
}
