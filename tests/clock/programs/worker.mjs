// A worker that waits in Atomics.wait (a condition variable) and in a timer, beside an interval of the main thread.
import { Worker, isMainThread, parentPort } from 'node:worker_threads';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const seconds = () => performance.now() / 1000;
const file = fileURLToPath(import.meta.url);

if (isMainThread) {
  const start = seconds();
  const wall = Date.now();
  const said = {};
  let ticks = 0;
  const interval = setInterval(() => ticks++, 1000);
  const worker = new Worker(file);
  worker.on('message', (message) => Object.assign(said, message));
  await new Promise((resolve) => worker.on('exit', resolve));
  clearInterval(interval);
  for (let i = 0; i < 20; i++) await readFile(file); // the thread pool
  console.log(JSON.stringify({ ...said, ticks, total: seconds() - start, wall: (Date.now() - wall) / 1000 }));
} else {
  const start = seconds();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 30_000);
  const atomics = seconds() - start;
  setTimeout(() => parentPort.postMessage({ atomics, timeout: seconds() - start - atomics }), 20_000);
}
