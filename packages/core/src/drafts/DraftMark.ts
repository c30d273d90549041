/** The value of the header field `X-Postern-Draft`: the draft of a copy, and the save that stored it. */
export interface DraftMark {
  readonly draftId: string;
  readonly token: string;
}
