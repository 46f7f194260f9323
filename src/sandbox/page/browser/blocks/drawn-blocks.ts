/** The types of blocks that the page draws; a test holds them against those that the sandbox takes. */
export const DRAWN_BLOCKS = [
  'actions',
  'context',
  'data_table',
  'data_visualization',
  'divider',
  'header',
  'input',
  'rich_text',
  'section',
] as const;
