/** The tables of `assistants`. Secrets are hashes; `record` is the JSON of the whole record. */
export interface AssistantsTables {
  readonly agent_grant: {
    readonly id: string;
    readonly account: string;
    readonly created_at: number;
    readonly expires_at: number;
    readonly record: string;
  };
  readonly authorization_code: {
    /** The hash of the code. */
    readonly id: string;
    readonly account: string;
    readonly expires_at: number;
    readonly record: string;
  };
  readonly assistant_client: {
    readonly id: string;
    /** Whether the client registered itself: 0 or 1. */
    readonly registered: number;
    readonly created_at: number;
    readonly record: string;
  };
}
