/** A rule that recognises the reports of one family of MTAs or providers. `recipient` finds failed recipients beyond the usual places. */
export interface Family {
  readonly name: string;
  readonly recognisedBy: {
    /** Matches the From field. */
    readonly from?: RegExp;
    /** The name of a header field, and an expression for its value. */
    readonly header?: readonly [name: string, value: RegExp];
    /** Matches the folded text of the notice. */
    readonly text?: RegExp;
    /** Matches the Reporting-MTA, Diagnostic-Code or X- fields of a delivery status. */
    readonly status?: RegExp;
  };
  /** An expression for the text before a failed recipient, which is the first address after the match. */
  readonly recipient?: { readonly line: RegExp; readonly example: string };
  /** A sample text that the rule matches. */
  readonly example: string;
}
