import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { RequestStream, type WholeRequest } from './http/request-stream.js';
import { Random } from './random.js';

/** Ways in which the network treats a request. */
const FATES = [
  'pass',
  /** Reaches the service late. */
  'delay',
  /** Never reaches the service; the connection stays silent for a while, then is reset. */
  'swallow',
  /** Never reaches the service; the connection is reset at once. */
  'reset',
  /** Carried out, but the connection is reset instead of answered. */
  'lose_answer',
  /** Only its beginning reaches the service. */
  'cut_request',
  /** Carried out, but only the beginning of the answer arrives. */
  'cut_answer',
  /** Carried out twice; the answer to the copy is thrown away. */
  'duplicate',
  /** Answered; the copy reaches the service later, as from a router that held it back. */
  'duplicate_late',
] as const;
export type Fate = (typeof FATES)[number];

/** Of each sixteen requests of a route these pass; every fault occurs once. */
const PASSES = 8;
const LONGEST_PAUSE_MS = 400;

interface Planned {
  readonly fate: Fate;
  readonly pauseMs: number;
  /** Part of a cut message that arrives, from 0 to 1. */
  readonly part: number;
}

/**
 * A faulty TCP proxy on 127.0.0.1 in front of a service. TCP itself never delivers bytes twice, but proxies and clients
 * repeat whole requests, so duplication applies to HTTP requests: the copy travels over a connection of its own.
 *
 * The seed determines the order of the fates of each route (method and path without ids), independent of the timing of
 * other routes. Enrolment passes untouched, because a token can be redeemed only once.
 */
export class BadNetwork {
  readonly happened = new Map<Fate, number>();
  private readonly plans = new Map<string, { random: Random; ahead: Fate[] }>();
  private readonly sockets = new Set<Socket>();
  private readonly timers = new Set<NodeJS.Timeout>();

  private constructor(
    private readonly target: URL,
    private readonly seed: number,
    private readonly server: Server,
  ) {}

  /** @param target `http://127.0.0.1:<port>/…` */
  static async before(target: string, seed: number): Promise<BadNetwork> {
    const server = createServer();
    const network = new BadNetwork(new URL(target), seed, server);
    server.on('connection', (client) => network.link(client));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return network;
  }

  /** The target's URL through the proxy. */
  get url(): string {
    const url = new URL(this.target);
    url.port = String((this.server.address() as AddressInfo).port);
    return url.toString();
  }

  async close(): Promise<void> {
    for (const timer of this.timers) clearTimeout(timer);
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private link(client: Socket): void {
    const service = this.dial();
    this.keep(client);
    const requests = new RequestStream();
    let planned: Planned | undefined;
    client.on('data', (chunk) => {
      for (const request of requests.push(chunk)) {
        planned = this.plan(request);
        this.forward(request, planned, client, service);
      }
    });
    service.on('data', (chunk) => {
      if (planned?.fate === 'lose_answer') client.resetAndDestroy();
      else if (planned?.fate === 'cut_answer') client.end(beginning(chunk, planned));
      else client.write(chunk);
    });
    client.on('close', () => service.destroy());
    service.on('close', () => client.end());
  }

  private forward(request: WholeRequest, planned: Planned, client: Socket, service: Socket): void {
    switch (planned.fate) {
      case 'delay':
        return this.later(planned.pauseMs, () => service.write(request.bytes));
      case 'swallow':
        return this.later(planned.pauseMs, () => client.resetAndDestroy());
      case 'reset':
        return void client.resetAndDestroy();
      case 'cut_request':
        return void service.write(beginning(request.bytes, planned), () => client.resetAndDestroy());
      case 'duplicate':
        this.copy(request);
        return void service.write(request.bytes);
      case 'duplicate_late':
        this.later(planned.pauseMs, () => this.copy(request));
        return void service.write(request.bytes);
      case 'pass':
      case 'lose_answer':
      case 'cut_answer':
        return void service.write(request.bytes);
    }
  }

  /** Sends the request over a connection of its own and ignores the answer. */
  private copy({ bytes }: WholeRequest): void {
    this.dial().resume().write(bytes);
  }

  private dial(): Socket {
    return this.keep(connect(Number(this.target.port), '127.0.0.1'));
  }

  private keep(socket: Socket): Socket {
    this.sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.sockets.delete(socket));
    return socket;
  }

  private later(ms: number, then: () => void): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      then();
    }, ms);
    this.timers.add(timer);
  }

  private plan({ method, path }: WholeRequest): Planned {
    if (path.endsWith('/managed/enroll')) return { fate: 'pass', pauseMs: 0, part: 0 };
    const { random, ahead } = this.planOf(`${method} ${path.replaceAll(/[0-9a-f-]{36}/g, '*')}`);
    if (ahead.length === 0) ahead.push(...shuffledFates(random));
    const fate = ahead.pop()!;
    this.happened.set(fate, (this.happened.get(fate) ?? 0) + 1);
    return { fate, pauseMs: random.below(LONGEST_PAUSE_MS), part: random.next() };
  }

  private planOf(route: string): { random: Random; ahead: Fate[] } {
    const known = this.plans.get(route);
    if (known) return known;
    const seed = [...route].reduce((hash, char) => Math.imul(hash, 31) + char.codePointAt(0)!, this.seed);
    const plan = { random: new Random(seed), ahead: [] };
    this.plans.set(route, plan);
    return plan;
  }
}

export const FAULTS = FATES.filter((fate) => fate !== 'pass');

function shuffledFates(random: Random): Fate[] {
  const fates: Fate[] = [...FAULTS, ...Array.from({ length: PASSES }, () => 'pass' as const)];
  for (let last = fates.length - 1; last > 0; last--) {
    const other = random.below(last + 1);
    [fates[last], fates[other]] = [fates[other]!, fates[last]!];
  }
  return fates;
}

/** At least one byte, but not all. */
function beginning(bytes: Buffer, { part }: Planned): Buffer {
  return bytes.subarray(0, Math.max(1, Math.floor(part * bytes.length)));
}
