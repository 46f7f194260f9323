import { n as codeOf } from "./store-error.js";
import { workerData } from "node:worker_threads";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
// src/core/store/engines/sqlite-checkpoint.ts
const MAX_TRIES = 5;
const BUSY_TIMEOUT_MS = 50;
const TOO_MANY_PAGES = 16e3;
const address = pathToFileURL(String(workerData));
address.searchParams.set("mode", "rw");
const database = new DatabaseSync(address, { timeout: BUSY_TIMEOUT_MS });
database.exec("pragma synchronous = normal");
try {
	for (let tries = 0; tries < MAX_TRIES; tries += 1) {
		const { log, checkpointed } = checkpoint("passive");
		if (checkpointed < log && log < TOO_MANY_PAGES) continue;
		if (checkpoint("truncate").busy === 0) beginNewLog();
		break;
	}
} finally {
	database.close();
}
function checkpoint(mode) {
	const { busy, log, checkpointed } = database.prepare(`pragma wal_checkpoint(${mode})`).get() ?? {};
	return {
		busy: Number(busy),
		log: Number(log),
		checkpointed: Number(checkpointed)
	};
}
function beginNewLog() {
	const { user_version: version } = database.prepare("pragma user_version").get() ?? {};
	try {
		database.exec(`pragma user_version = ${Number(version)}`);
	} catch (error) {
		if (codeOf(error) !== "SQLITE_5") throw error;
	}
}
export {};

//# sourceMappingURL=sqlite-checkpoint.js.map