export const HOOKS_PATH = '/hooks/v1';

/** The answer to a client with an unknown token. The doctor recognizes the bot by it. */
export const UNKNOWN_TOKEN = 'This token is unknown or was revoked.';
