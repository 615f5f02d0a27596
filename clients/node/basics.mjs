// What any host does, with both TypeScript SDKs, over HTTP and stdio.
import assert from 'node:assert/strict';

import { defaults } from './libraries.mjs';
import { check, finish } from './report.mjs';
import { serve, toolsDir } from './starmcp.mjs';

const names = ['digits', 'echo', 'link', 'output_array', 'output_object', 'output_ref', 'output_scalar', 'output_union', 'refuse'];

// What JSON escapes, what JavaScript once took for the end of a line, and
// characters beyond the basic plane.
const awkward = 'Grüße "世界" 🌍 \\ / \t\n\u2028\u2029\u0000\u007f e\u0301 \u{10FFFF}';

const server = await serve(toolsDir);
for (const [kind, endpoint] of [['http', { url: server.url }], ['stdio', { dir: toolsDir }]]) {
  for (const library of defaults) await basics(`${library.name} ${kind}`, library, endpoint);
}
await server.stop();
finish();

// basics makes its checks in order on one connection: what comes after a
// failure must still work.
async function basics(title, library, endpoint) {
  let client;
  await check(`${title}: connect`, async () => {
    const connected = await library.connect(endpoint);
    client = connected.client;
    assert.equal(connected.revision, library.revision);
  });
  if (!client) return;
  const errors = [];
  client.onerror = (error) => errors.push(error);
  const call = (name, args) => client.callTool({ name, arguments: args });

  await check(`${title}: list`, async () => {
    const { tools } = await client.listTools();
    assert.deepEqual(tools.map((tool) => tool.name), names);
    assert.equal(tools.find((tool) => tool.name === 'echo').title, 'Echo 🔁');
  });
  await check(`${title}: success`, async () => {
    const result = await call('echo', { text: awkward });
    assert.ok(!result.isError);
    assert.deepEqual(result.content.map((block) => block.text), [awkward]);
  });
  await check(`${title}: isError`, async () => {
    const result = await call('refuse');
    assert.equal(result.isError, true);
    assert.match(result.content[0].text, /maintenance window/);
  });
  await check(`${title}: bad arguments`, async () => {
    const result = await call('echo', { txet: 'hello' });
    assert.equal(result.isError, true);
    assert.match(result.content[0].text, /text/);
  });
  await check(`${title}: unknown tool`, async () => {
    await assert.rejects(call('no_such_tool'), (error) => error.code === -32602 && /no_such_tool/.test(error.message));
  });
  await check(`${title}: big integer`, async () => {
    const result = await call('digits', { n: Number.MAX_SAFE_INTEGER });
    assert.equal(result.structuredContent.digits, '9007199254740991');
  });
  await check(`${title}: link`, async () => {
    const result = await call('link');
    assert.deepEqual(result.content.map((block) => [block.type, block.uri]), [['resource_link', 'file:///etc/hostname']]);
  });
  await check(`${title}: close, with no error on the way`, async () => {
    await client.close();
    assert.deepEqual(errors, []);
  });
}
