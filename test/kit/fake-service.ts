import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FakeJobs, FakeRefusal, type FakeJob, type FakeReport, type NewJob } from './fake-service-jobs.js';

export type FakeCall =
  | 'enroll'
  | 'sessions'
  | 'heartbeat'
  | 'inventory'
  | 'leases'
  | 'content'
  | 'accept'
  | 'handoff'
  | 'events'
  | 'release'
  | 'credential';

/** Fault applied to the next answer of a call. */
type Fault =
  | { kind: 'lost' } // Executed, but the answer is lost.
  | { kind: 'held'; until: Promise<unknown> } // Executed, but the answer is delayed.
  | { kind: 'refused'; status: number; code: string; retryAfter?: number }
  | { kind: 'altered'; body: Buffer }
  | { kind: 'intercepted'; status: number }; // Answered by a gateway in between, with a web page.

const SIGN_IN_PAGE = '<html>Please sign in</html>';
const COMPUTER_ID = randomUUID();
const LIMITS = { max_leases: 64, max_leases_per_printer: 4 };
const OF_A_SESSION: readonly FakeCall[] = ['heartbeat', 'leases', 'accept', 'handoff', 'events', 'release'];

/** HTTP server for the agent protocol, whose answers can be lost, refused or altered. */
export class FakeService {
  readonly jobs = new FakeJobs();
  readonly calls: { call: FakeCall; body: Body }[] = [];
  readonly enrollmentToken = 'svc_enroll_live_fake';
  readonly config = { poll_wait_seconds: 5, heartbeat_seconds: 0.1, lease_seconds: 60, ...LIMITS };
  readonly credentials = new FakeCredentials();
  inventory: { printer_key: string; online: boolean }[] = [];
  lost: { lease_id: string; reason: string }[] = [];
  private readonly faults: { call: FakeCall; fault: Fault }[] = [];
  private readonly changes = new EventEmitter().setMaxListeners(0);
  /** Increases with each session, lease and permit. */
  private head = 0;
  private session = '';
  private readonly replaced = new Set<string>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<FakeService> {
    const server = createServer((request, response) => void service.answer(request, response));
    const service = new FakeService(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  async stop(): Promise<void> {
    this.changes.emit('change');
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  next(call: FakeCall, fault: Fault): void {
    this.faults.push({ call, fault });
  }

  count(call: FakeCall): number {
    return this.calls.filter((made) => made.call === call).length;
  }

  /** Queues a job, of which a waiting Agent hears. */
  print(job: NewJob): FakeJob {
    const added = this.jobs.add(job);
    this.changed();
    return added;
  }

  /** Wakes the long polls after adding jobs. */
  changed(): void {
    this.changes.emit('change');
  }

  get position(): string {
    return String(this.head).padStart(12, '0');
  }

  replaceSession(): void {
    this.replaced.add(this.session);
    this.session = randomUUID();
  }

  /** Simulates a store rolled back to before every session. */
  forgetSessions(): void {
    this.replaced.clear();
    this.session = '';
    this.changed();
  }

  /** Resolves once `condition` holds; checked after every call. */
  async until(condition: () => boolean, what: string, withinMs = 60_000): Promise<void> {
    const deadline = Date.now() + withinMs;
    while (!condition()) {
      if (Date.now() > deadline) throw new Error(`${what}: not within ${withinMs} ms`);
      await this.change(Math.max(1, deadline - Date.now()));
    }
  }

  private change(withinMs: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.changes.off('change', done);
        resolve();
      };
      const timer = setTimeout(done, withinMs);
      this.changes.once('change', done);
    });
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').replace('/v1/', '');
    const call = callOf(path);
    const body = await bodyOf(request);
    this.calls.push({ call, body });
    const fault = this.takeFault(call);
    if (fault?.kind === 'intercepted')
      return void response.writeHead(fault.status, { 'content-type': 'text/html' }).end(SIGN_IN_PAGE);
    try {
      if (fault?.kind === 'refused') throw new FakeRefusal(fault.status, fault.code);
      if (call !== 'enroll') this.credentials.authenticate(request.headers.authorization);
      const data = await this.carryOut(call, path.split('/'), body, response);
      await send(response, data, fault);
    } catch (error) {
      if (!(error instanceof FakeRefusal)) throw error;
      if (fault?.kind === 'refused' && fault.retryAfter !== undefined) {
        response.setHeader('retry-after', String(fault.retryAfter));
      }
      reply(response, error.status, { code: error.code, message: error.message, retryable: false });
    }
    this.changed();
  }

  private takeFault(call: FakeCall): Fault | undefined {
    const index = this.faults.findIndex((planned) => planned.call === call);
    return index < 0 ? undefined : this.faults.splice(index, 1)[0]?.fault;
  }

  private carryOut(call: FakeCall, path: string[], body: Body, response: ServerResponse): unknown {
    const id = path[2] ?? '';
    if (OF_A_SESSION.includes(call)) this.checkSession(body);
    switch (call) {
      case 'enroll':
        return this.enroll(body);
      case 'sessions':
        return this.openSession(body.journal as { job_id: string; lease_id: string; fence: number }[]);
      case 'heartbeat':
        return {
          ...this.credentials.renewal(),
          renewed: [],
          lost: this.lost.splice(0),
          resync_inventory: false,
        };
      case 'credential':
        return this.credentials.renew();
      case 'inventory':
        this.inventory = body.printers as typeof this.inventory;
        return { printers: [] };
      case 'leases':
        return this.poll(body, response);
      case 'content':
        return this.jobs.find(id).bytes;
      case 'accept':
        this.jobs.accept(id, body.lease_id, body.content_hash);
        return {};
      case 'handoff':
        this.jobs.permit(id, body.lease_id);
        return { permit: true, permit_seconds: 15, position: this.moveOn() };
      case 'events':
        return { results: (body.events as FakeReport[]).map((report) => this.jobs.hear(report)) };
      case 'release':
        this.jobs.release(id);
        return {};
    }
  }

  private enroll(body: Body): unknown {
    if (body.enrollment_token !== this.enrollmentToken) throw new FakeRefusal(401, 'CREDENTIAL_INVALID');
    return {
      device_id: COMPUTER_ID,
      account_id: randomUUID(),
      friendly_code: 'PC-00000001',
      device_credential: this.credentials.secrets[0],
      agent: { base_url: `${this.url}/agent`, poll_wait_seconds: 25, heartbeat_seconds: 20 },
    };
  }

  private openSession(journal: { job_id: string; lease_id: string; fence: number }[]): unknown {
    this.replaceSession();
    const reconcile = journal.map((entry) => this.jobs.verdict(entry));
    this.jobs.keepOnly(journal.map(({ lease_id }) => lease_id));
    const [session_id, position] = [this.session, this.moveOn()];
    return { session_id, computer_id: COMPUTER_ID, position, config: this.config, reconcile };
  }

  private moveOn(): string {
    this.head++;
    return this.position;
  }

  private async poll(body: Body, response: ServerResponse): Promise<unknown> {
    const deadline = Date.now() + Number(body.wait_seconds) * 1000;
    for (;;) {
      if (response.destroyed) return undefined;
      const leases = this.jobs.grant(Number(body.max), body.busy_printers as string[]);
      if (leases.length > 0) return { leases, position: this.moveOn() };
      if (Date.now() >= deadline || !this.server.listening) return undefined;
      await this.change(deadline - Date.now());
      this.checkSession(body);
    }
  }

  private checkSession(body: Body): void {
    if (typeof body.session_id !== 'string') throw new FakeRefusal(400, 'INVALID_REQUEST');
    if (body.session_id === this.session) return;
    if (this.replaced.has(body.session_id)) throw new FakeRefusal(409, 'SESSION_REPLACED');
    throw new FakeRefusal(404, 'SESSION_NOT_FOUND');
  }
}

function callOf(path: string): FakeCall {
  return path.split('/').at(-1) as FakeCall;
}

async function send(response: ServerResponse, data: unknown, fault: Fault | undefined): Promise<void> {
  if (fault?.kind === 'held') await fault.until;
  if (fault?.kind === 'lost') response.destroy();
  else succeed(response, fault?.kind === 'altered' ? fault.body : data);
}

function succeed(response: ServerResponse, data: unknown): void {
  if (Buffer.isBuffer(data)) response.writeHead(200).end(data);
  else if (data === undefined) response.writeHead(204).end();
  else reply(response, 200, { code: 'OK', message: 'ok', data });
}

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

const DAY_MS = 86_400_000;

/** Device credentials of the fake service. */
class FakeCredentials {
  /** Days until the end of the credential. */
  daysLeft = 180;
  /** Accepted secrets; the first use of a later one ends the earlier ones. */
  secrets = ['svc_device_live_fake'];

  authenticate(header = ''): void {
    const used = this.secrets.indexOf(header.replace('Bearer ', ''));
    if (used < 0) throw new FakeRefusal(401, 'CREDENTIAL_INVALID');
    if (used > 0) this.daysLeft = 180;
    this.secrets.splice(0, used);
  }

  /** Part of a heartbeat's answer. */
  renewal(): object {
    return this.daysLeft <= 30 ? { renew_credential: true } : {};
  }

  renew(): unknown {
    if (this.daysLeft > 30) throw new FakeRefusal(409, 'CREDENTIAL_NOT_DUE');
    const device_credential = `svc_device_live_fake_${randomUUID()}`;
    this.secrets = [this.secrets[0]!, device_credential];
    return { device_credential, credential_expires_at: new Date(Date.now() + 180 * DAY_MS).toISOString() };
  }
}

type Body = Record<string, unknown>;

/** The JSON of a request; empty without a body. */
async function bodyOf(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return chunks.length > 0 ? (JSON.parse(Buffer.concat(chunks).toString()) as Body) : {};
}
