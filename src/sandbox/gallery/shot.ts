import type { FileView, Snapshot } from '../slack/people/control-types.ts';

export type BlockJson = Record<string, unknown>;

/** Where a person meets something. */
export type SurfaceKind = 'answer' | 'message' | 'thread' | 'modal' | 'home';

/** One thing that somebody sees, in one of its states, as the bot really sent it. */
export interface Shot {
  /** What it is a state of: a command, a card, a form. */
  screen: string;
  state: string;
  /** Whom it is shown to, by handle; for a channel, its name with `#`. */
  reader: string;
  surface: SurfaceKind;
  /** What time it was for the reader. */
  atMs: number;
  /** What notifications and screen readers say; of a modal, its title. */
  text: string;
  blocks: readonly BlockJson[];
  /** A modal’s buttons and title. */
  view?: BlockJson;
  files: readonly FileView[];
}

/** All that the gallery shows, and the workspace that its mentions and channels are of. */
export interface Gallery {
  shots: readonly Shot[];
  snapshot: Snapshot;
}
