/** How to recognise the reports of one family of MTAs or providers, and where they name the failed recipient beyond the usual places. */
export interface Family {
  readonly name: string;
  readonly recognisedBy: {
    /** Matches the From field. */
    readonly from?: RegExp;
    /** The name of a header field, and a match for its value. */
    readonly header?: readonly [name: string, value: RegExp];
    /** Matches the folded text of the notice. */
    readonly text?: RegExp;
    /** Matches the Reporting-MTA, Diagnostic-Code or X- fields of a delivery status. */
    readonly status?: RegExp;
  };
  /** Matches before a failed recipient, which is the first address after the match. */
  readonly recipient?: { readonly line: RegExp; readonly example: string };
  /** A sample text that the rule matches. */
  readonly example: string;
}
