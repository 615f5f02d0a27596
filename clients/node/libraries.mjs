// The TypeScript SDKs under one interface. A configuration connects to an
// endpoint ({ url } or { dir }) and resolves to { client, revision }.
import { Client as ClientV2, StreamableHTTPClientTransport as HTTPTransportV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioTransportV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioTransportV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HTTPTransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

import { binary, stdioArgs } from './starmcp.mjs';

const legacyRevisions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

// v2 is the TypeScript SDK v2 with options that decide which revision it speaks.
function v2(name, revision, options) {
  return {
    name: `ts-v2 ${name}`,
    revision,
    async connect(endpoint) {
      const client = new ClientV2({ name: 'ts-v2', version: '1' }, options);
      await client.connect(transport(endpoint, HTTPTransportV2, StdioTransportV2));
      return { client, revision: client.getNegotiatedProtocolVersion() };
    },
  };
}

// v1 is the TypeScript SDK v1. It always asks for the newest revision that it
// knows; for an older one the request is changed on its way out.
function v1(revision) {
  return {
    name: `ts-v1 ${revision}`,
    revision,
    async connect(endpoint) {
      const client = new ClientV1({ name: 'ts-v1', version: '1' });
      const wire = transport(endpoint, HTTPTransportV1, StdioTransportV1);
      const send = wire.send.bind(wire);
      let agreed;
      wire.send = (message, options) => {
        if (message.method === 'initialize') message.params.protocolVersion = revision;
        return send(message, options);
      };
      const setVersion = wire.setProtocolVersion?.bind(wire);
      wire.setProtocolVersion = (version) => {
        agreed = version;
        setVersion?.(version);
      };
      await client.connect(wire);
      return { client, revision: agreed };
    },
  };
}

function transport(endpoint, HTTP, Stdio) {
  if (endpoint.url) return new HTTP(new URL(endpoint.url));
  return new Stdio({ command: binary, args: stdioArgs(endpoint.dir), stderr: 'ignore' });
}

const legacy = (revision) => v2(`legacy ${revision}`, revision, { supportedProtocolVersions: [revision] });

// defaults are the configurations that people use.
export const defaults = [
  v2('auto', '2026-07-28', { versionNegotiation: { mode: 'auto' } }),
  v2('pin', '2026-07-28', { versionNegotiation: { mode: { pin: '2026-07-28' } } }),
  v2('legacy', '2025-11-25', {}),
  v1('2025-11-25'),
];

// everyRevision are configurations that cover all revisions with both SDKs.
export const everyRevision = [defaults[1], ...legacyRevisions.map(legacy), ...legacyRevisions.map(v1)];
