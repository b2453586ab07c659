import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { config as readDotEnv } from 'dotenv';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { RemotePrinting } from '../sdk/src/index.js';
import { Documents } from './documents.js';
import { serverOf } from './tools.js';

const USAGE = `usage: rps mcp [--folder DIR] [--read-only]

Serves the tools of one account to an MCP client over stdin and stdout. RPS_API_KEY is the API key, RPS_URL the address
of the service (default http://127.0.0.1:3000/v1).

  --folder     folder whose PDFs and text files may be printed
  --read-only  offers no tool that prints or cancels
`;
const EX_USAGE = 64;
const EX_CONFIG = 78;

/** Serves until stdin ends. Resolves to the exit code. */
export async function mcp(args: readonly string[], version: string): Promise<number> {
  const options = {
    folder: { type: 'string' },
    'read-only': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  } as const;
  let given;
  try {
    given = parseArgs({ args: [...args], options }).values;
  } catch (error) {
    process.stderr.write(`rps mcp: ${(error as Error).message}\n${USAGE}`);
    return EX_USAGE;
  }
  if (given.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  readDotEnv({ quiet: true });
  const { RPS_API_KEY: apiKey, RPS_URL: baseUrl = 'http://127.0.0.1:3000/v1' } = process.env;
  if (!apiKey) {
    process.stderr.write(`rps mcp: RPS_API_KEY is not set\n${USAGE}`);
    return EX_CONFIG;
  }
  const folder = given.folder === undefined ? undefined : path.resolve(given.folder);
  const documents = new Documents(apiKey, randomUUID(), folder);
  const client = new RemotePrinting({ apiKey, baseUrl });
  const may = (scope: string) => !given['read-only'] || scope.endsWith(':read');
  const server = serverOf(client, documents, { version, may });
  const ended = new Promise<void>((resolve) => (server.server.onclose = resolve));
  process.stdin.once('end', () => void server.close());
  await server.connect(new StdioServerTransport());
  await ended;
  return 0;
}
