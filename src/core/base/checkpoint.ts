/** The points at which a crash would leave work half done, in the order in which each part reaches them. */
export type CheckpointName =
  | `outbox:${'before_claim' | 'after_claim' | 'before_post' | 'after_post' | 'before_settle' | 'settled'}`
  | `limits:${'before_decision' | 'after_decision' | 'after_claim' | 'before_put' | 'after_put' | 'after_record' | 'before_finish' | 'finished' | 'before_turn' | 'in_turn' | 'after_turn' | 'before_lowering' | 'in_lowering' | 'after_lowering'}`
  | `computers:${'order_stored' | 'before_create' | 'after_create' | 'create_settled'}`
  | `budgets:${'before_commit' | 'in_commit' | 'after_commit'}`
  | `exports:${'before_file' | 'after_file'}`
  | 'retention:after_batch'
  | `controls:${'before_poll' | 'after_page' | 'before_move' | 'in_move' | 'after_move'}`;

/** Awaited at each checkpoint. The crash tests end the process there, or hold it forever. */
export type Checkpoint = (name: CheckpointName) => Promise<void> | void;

export const noCheckpoint: Checkpoint = () => {};
