/**
 * How to recognise the reports of one family of MTAs or providers, and where they name the failed recipient beyond the
 * usual places.
 */
export interface Family {
  readonly name: string;
  readonly recognisedBy: {
    /** In the From field. */
    readonly from?: RegExp;
    /** A header field, by name, whose value matches. */
    readonly header?: readonly [name: string, value: RegExp];
    /** In the notice, folded. */
    readonly text?: RegExp;
    /** In the Reporting-MTA, Diagnostic-Code or X- fields of a delivery status. */
    readonly status?: RegExp;
  };
  /** Lines that name a failed recipient: the first address after the match. */
  readonly recipient?: { readonly line: RegExp; readonly example: string };
  /** Text that the rule matches. */
  readonly example: string;
}
