import type { FileView, Snapshot } from '../slack/people/control-types.ts';

export type BlockJson = Record<string, unknown>;

export type SurfaceKind = 'answer' | 'message' | 'thread' | 'modal' | 'home';

/** One screen in one of its states, as the bot really sent it. */
export interface Shot {
  /** The screen: a command, a card, a form. */
  screen: string;
  state: string;
  /** The reader by handle; for a channel, its name with `#`. */
  reader: string;
  surface: SurfaceKind;
  /** The reader's time. */
  atMs: number;
  /** The text for notifications and screen readers; of a modal, its title. */
  text: string;
  blocks: readonly BlockJson[];
  /** A modal’s buttons and title. */
  view?: BlockJson;
  files: readonly FileView[];
}

export interface Gallery {
  shots: readonly Shot[];
  snapshot: Snapshot;
}
