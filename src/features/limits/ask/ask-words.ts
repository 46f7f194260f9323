/** What was typed after `/limits request`. */
export interface AskWords {
  people: readonly string[];
  emails: readonly string[];
  amount: number | undefined;
  /** An amount without a name is a request for oneself. */
  isOwn: boolean;
}
