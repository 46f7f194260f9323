/** Plays a part of the separate scenes in a thread of its own, and posts each shot. */
import { parentPort, workerData } from 'node:worker_threads';
import { separateScenes } from './separate-scenes.ts';

for await (const shot of separateScenes(workerData)) parentPort?.postMessage(shot);
