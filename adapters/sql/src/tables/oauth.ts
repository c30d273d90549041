/** The tables of `oauth`. Grants are in the table `credential`. */
export interface OAuthTables {
  /** The JSON of an app, sealed by `RecordCipher`. */
  readonly oauth_app: { readonly id: string; readonly sealed: string };
  readonly connect_attempt: {
    /** The hash of the secret that identifies the attempt. */
    readonly id: string;
    /** The JSON of the attempt, sealed by `RecordCipher`. */
    readonly sealed: string;
    /** The network in which a consent was begun; null for other attempts. */
    readonly network: string | null;
    readonly expires_at: number;
    /** The service key that created a link; null for other attempts. */
    readonly key: string | null;
  };
}
