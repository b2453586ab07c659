import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { ApiError, WaitTimeoutError, type Change, type RemotePrinting } from '../sdk/src/index.js';
import type { Documents, PrintRequest } from './documents.js';

/** Waiting jobs that one call reads; of more, the oldest. */
const MOST = 1_000;
const PAGE = 100;
const MOST_CHANGES = 200;
/** Clients end a call after a minute. */
const LONGEST_WAIT_S = 50;

const READS = { readOnlyHint: true, openWorldHint: false };
const CHANGES = { readOnlyHint: false, idempotentHint: true, openWorldHint: false };
const JOB = { job_id: z.string() };
const CHANGE_SCOPES = ['jobs:read', 'computers:read', 'printers:read'];

export interface ServerOptions {
  readonly version: string;
  /** Whether to offer tools that need this scope; the service refuses a key without it in any case. */
  readonly may: (scope: string) => boolean;
}

/** The server to register a tool with, or undefined if a scope is not to be used. */
type Needing = (...scopes: readonly string[]) => McpServer | undefined;

/** The tools over one API key. */
export function serverOf(
  client: RemotePrinting,
  documents: Documents,
  { version, may }: ServerOptions,
): McpServer {
  const server = new McpServer(
    { name: 'remote-printing', version },
    {
      instructions:
        'Find a printer, prepare a print, show it to the person, then print with the confirm token.',
    },
  );
  const needing: Needing = (...scopes) => (scopes.every(may) ? server : undefined);
  readingTools(needing, client);
  if (CHANGE_SCOPES.some(may)) changesTool(server, client);
  changingTools(needing, client, documents);
  return server;
}

function readingTools(needing: Needing, client: RemotePrinting): void {
  needing('printers:read', 'jobs:read')?.registerTool(
    'list_printers',
    {
      description:
        'Printers with their status, jobs that wait, and since when the oldest waits: the one behind is first.',
      annotations: READS,
    },
    answered(async () => ({ printers: await printersByBacklog(client) })),
  );
  needing('jobs:read')?.registerTool(
    'get_job',
    { description: 'A print job with its history.', inputSchema: JOB, annotations: READS },
    answered(({ job_id }: { job_id: string }) => client.jobs.get(job_id)),
  );
  needing('jobs:read')?.registerTool(
    'wait_for_job',
    {
      description: `Waits until a job has ended, at most ${LONGEST_WAIT_S} seconds, and shows it.`,
      inputSchema: { ...JOB, seconds: z.number().int().min(1).max(LONGEST_WAIT_S).default(LONGEST_WAIT_S) },
      annotations: READS,
    },
    answered(({ job_id, seconds }: { job_id: string; seconds: number }) =>
      client.jobs.waitForCompletion(job_id, { maxWaitMs: seconds * 1_000 }).catch((error: unknown) => {
        if (error instanceof WaitTimeoutError) return { outcome: 'not_ended', job: error.job };
        throw error;
      }),
    ),
  );
  needing('jobs:read')?.registerTool(
    'explain_job',
    { description: 'Why a job has not printed, and what to do.', inputSchema: JOB, annotations: READS },
    answered(({ job_id }: { job_id: string }) => client.jobs.explain(job_id)),
  );
}

function changesTool(server: McpServer, client: RemotePrinting): void {
  server.registerTool(
    'list_changes',
    {
      description: `What changed in the account, oldest first, at most ${MOST_CHANGES}; go on with the cursor of the answer.`,
      inputSchema: {
        after: z.string().optional().describe('a cursor; absent: only what comes after this moment'),
      },
      annotations: READS,
    },
    answered(({ after }: { after?: string | undefined }) => changesAfter(client, after)),
  );
}

function changingTools(needing: Needing, client: RemotePrinting, documents: Documents): void {
  needing('printers:read', 'jobs:create')?.registerTool(
    'prepare_print',
    {
      description:
        'Says what would be printed and where, and gives the confirm token for `print`. Prints nothing.',
      inputSchema: documents.request,
      annotations: READS,
    },
    answered(async (request: PrintRequest) => {
      const { body, bytes, confirm, occasion } = await documents.prepared(request);
      const printer = await printerOf(client, body.printer_id);
      const { type } = body.content;
      return { confirm, occasion, printer, title: body.title, type, bytes, copies: body.copies };
    }),
  );
  needing('printers:read', 'jobs:create')?.registerTool(
    'print',
    {
      description:
        'Prints what was prepared, with the same arguments, and occasion and confirm token of its answer. A repeat is the same job.',
      inputSchema: { ...documents.request, confirm: z.string().describe('of prepare_print') },
      annotations: CHANGES,
    },
    answered(async ({ confirm, ...request }: PrintRequest & { confirm: string }) => {
      const { body, idempotencyKey, ...prepared } = await documents.prepared(request);
      if (prepared.confirm !== confirm)
        throw new Error(
          'confirm is not that of these arguments: call prepare_print with them and show its answer',
        );
      const { job, replayed } = await client.jobs.create(body, { idempotencyKey });
      return { job, printed_before: replayed };
    }),
  );
  needing('jobs:cancel')?.registerTool(
    'cancel_job',
    {
      description: 'Cancels a job that no Agent has accepted yet.',
      inputSchema: { ...JOB, reason: z.string().max(500).optional() },
      annotations: { ...CHANGES, destructiveHint: true },
    },
    answered(({ job_id, reason }: { job_id: string; reason?: string | undefined }) =>
      client.jobs.cancel(job_id, reason === undefined ? {} : { reason }),
    ),
  );
}

/** The result as text and as an object; a refusal as text that a model can act on. */
function answered<Args>(work: (args: Args) => Promise<object>): (args: Args) => Promise<CallToolResult> {
  return async (args) => {
    try {
      const found = JSON.parse(JSON.stringify(await work(args))) as Record<string, unknown>;
      return { structuredContent: found, content: [{ type: 'text', text: JSON.stringify(found) }] };
    } catch (error) {
      const { message } = error as Error;
      const text = error instanceof ApiError ? `${error.code} (${error.status}): ${message}` : message;
      return { isError: true, content: [{ type: 'text', text }] };
    }
  };
}

const allPrinters = (client: RemotePrinting) => client.printers.list({ limit: PAGE });

async function printerOf(client: RemotePrinting, printerId: string) {
  for await (const { printer_id, name, computer_name, status, paused = false } of allPrinters(client))
    if (printer_id === printerId) return { printer_id, name, computer_name, status, paused };
  throw new Error(`no printer ${printerId}: see list_printers`);
}

/** Printers with what waits for each; first the one whose oldest job waits longest. */
async function printersByBacklog(client: RemotePrinting) {
  const waiting = await waitingByPrinter(client);
  const printers = [];
  for await (const { printer_id, name, computer_name, status, paused = false } of allPrinters(client)) {
    const { count = 0, oldest } = waiting.get(printer_id) ?? {};
    printers.push({
      ...{ printer_id, name, computer_name, status, paused, waiting_jobs: count },
      ...(oldest && { oldest_waits_since: oldest }),
    });
  }
  const since = (one: { oldest_waits_since?: string }) => one.oldest_waits_since ?? '~';
  return printers.sort((a, b) => (since(a) < since(b) ? -1 : 1));
}

/** Of the oldest jobs that wait. */
async function waitingByPrinter(client: RemotePrinting) {
  const found = new Map<string, { count: number; oldest: string }>();
  const { total } = await client.jobs.list({ status: 'queued', limit: 1 }).page();
  const oldest = { status: 'queued', limit: PAGE, offset: Math.max(0, total - MOST) } as const;
  for await (const { printer_id, created_at } of client.jobs.list(oldest)) {
    // Newest first: the last one of a printer is its oldest.
    found.set(printer_id, { count: (found.get(printer_id)?.count ?? 0) + 1, oldest: created_at });
  }
  return found;
}

async function changesAfter(client: RemotePrinting, after = 'now') {
  const changes: Change[] = [];
  let [cursor, whole] = [after, 0];
  const store = {
    load: () => cursor,
    save(next: string) {
      [cursor, whole] = [next, changes.length];
    },
  };
  try {
    for await (const change of client.changes({ store, follow: false, pageSize: MOST_CHANGES })) {
      if (changes.length >= MOST_CHANGES) break;
      changes.push(change);
    }
  } catch (error) {
    if (cursor === after) throw error;
  }
  // The next call answers the changes after the cursor again.
  return { changes: changes.slice(0, whole), cursor };
}
