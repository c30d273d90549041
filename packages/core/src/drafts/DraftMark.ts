/** The value of the header field `X-Postern-Draft`: whose copy a message is, and which save stored it. */
export interface DraftMark {
  readonly draftId: string;
  readonly token: string;
}
