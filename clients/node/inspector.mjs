// The MCP Inspector's command line, as a person would use it in a terminal.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import path from 'node:path';

import { check, finish } from './report.mjs';
import { binary, scratch, serve, stdioArgs, toolsDir } from './starmcp.mjs';

const launcher = path.join(import.meta.dirname, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js');
const home = scratch(); // the Inspector writes there

const server = await serve(toolsDir);
for (const era of ['modern', 'auto', 'legacy']) {
  await inspect(`inspector ${era} http`, (args) => [server.url, '--transport', 'http', '--protocol-era', era, ...args]);
  await inspect(`inspector ${era} stdio`, (args) => ['--protocol-era', era, ...args, '--', binary, ...stdioArgs(toolsDir)]);
}
await server.stop();
finish();

// inspect makes its checks; command puts the arguments that say what to ask
// among those that say whom.
async function inspect(title, command) {
  const ask = (...args) => run(command([...args, '--format', 'json']));
  const call = (tool, ...args) => ask('--method', 'tools/call', '--tool-name', tool, ...args);

  await check(`${title}: list`, async () => {
    const { code, out } = await ask('--method', 'tools/list');
    assert.equal(code, 0, out);
    assert.equal(JSON.parse(out).result.tools.length, 9);
  });
  await check(`${title}: success`, async () => {
    const { code, out } = await call('echo', '--tool-arg', 'text=Grüße 🌍');
    assert.equal(code, 0, out);
    assert.equal(JSON.parse(out).result.content[0].text, 'Grüße 🌍');
  });
  await check(`${title}: structured`, async () => {
    const { code, out } = await call('output_array', '--tool-arg', 'mode=success');
    assert.equal(code, 0, out);
    assert.deepEqual([JSON.parse(out).result.structuredContent].map((s) => s.result ?? s), [['a', 'b', 'c']]);
  });
  await check(`${title}: isError`, async () => {
    const { code, out } = await call('refuse');
    assert.equal(code, 5, out);
    assert.match(out, /maintenance window/);
  });
  await check(`${title}: unknown tool`, async () => {
    assert.equal((await call('no_such_tool')).code, 5);
  });
}

// run resolves to the exit code and the standard output; a run that hangs is
// ended after 30 seconds.
function run(args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [launcher, '--cli', ...args], {
      env: { ...process.env, HOME: home, NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 30_000,
    });
    let out = '';
    child.stdout.on('data', (data) => { out += data; });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, out }));
  });
}
