export { o as McpServer, r as createMcpHandler } from "./tools-packages.js";
