// Every kind of output schema, in every revision, ending in every way: list and
// call, and no client may throw. Both SDKs hold structuredContent against the
// schema that was listed.
import assert from 'node:assert/strict';

import { everyRevision } from './libraries.mjs';
import { check, finish } from './report.mjs';
import { serve, toolsDir } from './starmcp.mjs';

// tools are the tools under testdata/tools/output and what they answer. isObject
// says that the schema's type is exactly "object".
const tools = [
  { name: 'output_object', value: { city: 'Zürich', inhabitants: 443037 }, isObject: true },
  { name: 'output_array', value: ['a', 'b', 'c'] },
  { name: 'output_scalar', value: 'forty-two' },
  { name: 'output_union', value: 42 },
  { name: 'output_ref', value: { name: 'root', children: [{ name: 'leaf' }] } },
];

const server = await serve(toolsDir);
for (const [kind, endpoint] of [['http', { url: server.url }], ['stdio', { dir: toolsDir }]]) {
  for (const library of everyRevision) await outputs(`${library.name} ${kind}`, library, endpoint);
}
await server.stop();
finish();

async function outputs(title, library, endpoint) {
  const modern = library.revision >= '2026-07-28';
  const structured = library.revision >= '2025-06-18';
  let client;
  await check(`${title}: list`, async () => {
    const connected = await library.connect(endpoint);
    client = connected.client;
    assert.equal(connected.revision, library.revision);
    const listed = new Map((await client.listTools()).tools.map((tool) => [tool.name, tool]));
    for (const { name } of tools) {
      const schema = listed.get(name).outputSchema;
      assert.equal(schema !== undefined, structured, `${name}: ${JSON.stringify(schema)}`);
      if (structured && !modern) assert.equal(schema.type, 'object', name);
    }
  });
  if (!client) return;
  for (const tool of tools) {
    const call = (mode) => client.callTool({ name: tool.name, arguments: { mode } });
    await check(`${title}: ${tool.name} success`, async () => {
      const result = await call('success');
      assert.ok(!result.isError);
      const wrapped = modern || tool.isObject ? tool.value : { result: tool.value };
      assert.deepEqual(result.structuredContent, structured ? wrapped : undefined);
      if (!modern) assert.deepEqual(JSON.parse(result.content[0].text), tool.value);
    });
    for (const [mode, message] of [['failure', /asked to fail/], ['too_big', /1 MiB/]]) {
      await check(`${title}: ${tool.name} ${mode}`, async () => {
        const result = await call(mode);
        assert.equal(result.isError, true);
        assert.equal(result.structuredContent, undefined);
        assert.match(result.content[0].text, message);
      });
    }
  }
  await client.close();
}
