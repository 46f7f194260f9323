/** The types of blocks that the page draws. A test compares them with those that the sandbox accepts. */
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
