/** Below MCP_URL. */
export const TOOLS_PATH = '/mcp';

/** The answer to a request without a token. The doctor recognizes the bot by it. */
export const NO_ACCESS = 'The token is missing, ended, or was revoked.';
