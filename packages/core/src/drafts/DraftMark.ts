/** The value of the header field `X-Postern-Draft`: the draft to which a copy belongs, and the save that stored the copy. */
export interface DraftMark {
  readonly draftId: string;
  readonly token: string;
}
