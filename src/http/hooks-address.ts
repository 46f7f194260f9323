/** Where clients send their events. */
export const HOOKS_PATH = '/hooks/v1';

/** What a client is told whose token is nobody's: by it the doctor knows the bot. */
export const UNKNOWN_TOKEN = 'This token is unknown or was revoked.';
