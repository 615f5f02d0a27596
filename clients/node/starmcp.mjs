// Starts and ends the server under test. The binary comes from the
// environment variable STARMCP_BINARY.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { once } from 'node:events';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';

const here = import.meta.dirname;

export const binary = process.env.STARMCP_BINARY;
export const toolsDir = path.join(here, '../testdata/tools');
export const conformanceDir = path.join(here, '../../testdata/conformance');

if (!binary) {
  console.error('STARMCP_BINARY must name a starmcp binary, such as one that `go build ./cmd/starmcp` made.');
  process.exit(2);
}

// stdioArgs are the arguments that serve a directory on the standard streams.
export const stdioArgs = (dir) => ['serve', '--stdio', dir];

// serve runs `starmcp serve` and resolves, once it listens, to its URL and a
// function that ends it.
export async function serve(dir) {
  const port = await freePort();
  const child = spawn(binary, ['serve', dir, '--listen', `127.0.0.1:${port}`], { stdio: ['ignore', 'pipe', 'pipe'] });
  process.on('exit', () => child.kill()); // also when a script breaks off
  let log = '';
  let ended = false;
  child.stdout.on('data', (data) => { log += data; });
  child.stderr.on('data', (data) => { log += data; });
  const exit = once(child, 'exit').then(() => { ended = true; });
  for (let tries = 0; !(await listens(port)); tries++) {
    if (ended || tries > 1000) {
      child.kill();
      throw new Error(`starmcp serve does not listen: ${log}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const stop = async () => {
    child.kill();
    await exit;
  };
  return { url: `http://127.0.0.1:${port}/mcp`, stop };
}

// scratch makes a folder that goes when the process does.
export function scratch() {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'starmcp-clients-'));
  process.on('exit', () => fs.rmSync(dir, { recursive: true, force: true }));
  return dir;
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

function listens(port) {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.on('connect', () => { socket.destroy(); resolve(true); });
    socket.on('error', () => resolve(false));
  });
}
