export interface ReviewedPeople {
  /** Lowered amounts by e-mail. */
  lowered: ReadonlyMap<string, number>;
  /** E-mails. */
  leftOut: ReadonlySet<string>;
  /** Limits to return to by e-mail, if lower than shown. */
  returns: ReadonlyMap<string, number>;
  /** The upper bound for every limit to return to. */
  highestReturn: number | undefined;
  /** What the platform showed to the reviewer, by e-mail; missing if it shows no limits. */
  seen?: ReadonlyMap<string, string>;
}
