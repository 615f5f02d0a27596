// The official conformance suite against testdata/conformance. What starmcp
// can pass by design must pass; the rest of the suite (resources, prompts,
// sampling and so on, which a server of tools does not offer) is only counted.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs/promises';
import path from 'node:path';

import { check, finish } from './report.mjs';
import { conformanceDir, scratch, serve } from './starmcp.mjs';

const suite = path.join(import.meta.dirname, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');

const toolCalls = [
  'tools-list',
  'tools-call-simple-text',
  'tools-call-image',
  'tools-call-audio',
  'tools-call-embedded-resource',
  'tools-call-mixed-content',
  'tools-call-error',
];

// required are the scenarios that must pass, by revision. Those that the suite
// does not score are among them.
const required = {
  '2026-07-28': [
    ...toolCalls,
    'server-sse-multiple-streams',
    'dns-rebinding-protection',
    'sep-2164-resource-not-found',
    'json-schema-2020-12',
    'http-header-validation',
    'http-custom-header-server-validation',
  ],
  '2025-11-25': ['server-initialize', 'ping', ...toolCalls],
};

const results = scratch();
const server = await serve(conformanceDir);
for (const [revision, scenarios] of Object.entries(required)) {
  const dir = path.join(results, revision);
  await run(['server', '--url', server.url, '--requirements', revision, '-o', dir]);
  for (const scenario of scenarios) {
    await check(`conformance ${revision}: ${scenario}`, async () => judge(await readChecks(dir, scenario)));
  }
  await count(revision, dir);
}
await server.stop();
finish();

// run runs the suite to its end. Its exit code says whether everything passed,
// which cannot be, so it is not looked at.
function run(args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [suite, ...args], { stdio: 'ignore', timeout: 120_000 });
    child.on('error', reject);
    child.on('close', resolve);
  });
}

// readChecks returns the checks that the suite made in a scenario. Folders are
// named server-SCENARIO-TIME.
async function readChecks(dir, scenario) {
  const name = new RegExp(`^server-${scenario}-\\d{4}-`);
  const folder = (await folders(dir)).find((folder) => name.test(folder));
  assert.ok(folder, 'the suite did not run it');
  return JSON.parse(await fs.readFile(path.join(dir, folder, 'checks.json'), 'utf8'));
}

// folders returns what the suite left in dir: a folder for each scenario.
function folders(dir) {
  return fs.readdir(dir).catch(() => []);
}

// judge asks for one success at least and for no failure.
function judge(checks) {
  const failures = checks.filter((c) => c.status === 'FAILURE');
  assert.ok(failures.length === 0, failures.map((c) => `${c.id}: ${c.errorMessage ?? c.description}`).join('; '));
  assert.ok(checks.some((c) => c.status === 'SUCCESS'), 'nothing was checked');
}

// count prints how much of the suite passes as a whole.
async function count(revision, dir) {
  const all = await folders(dir);
  let passing = 0;
  for (const folder of all) {
    const checks = JSON.parse(await fs.readFile(path.join(dir, folder, 'checks.json'), 'utf8'));
    if (!checks.some((c) => c.status === 'FAILURE')) passing++;
  }
  console.log(`     ${passing} of ${all.length} scenarios of ${revision} have no failure`);
}
