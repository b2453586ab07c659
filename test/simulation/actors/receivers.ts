import type { Milliseconds } from '../../../src/kernel/time.js';
import {
  WebhookClient,
  type TargetVerdict,
  type WebhookAnswer,
  type WebhookRequest,
} from '../../../src/contexts/webhooks/client/webhook-client.port.js';
import type { Program } from '../engine/program.js';
import type { Simulator } from '../engine/simulator.js';

/** How receivers answer. */
export interface ReceiverHabits {
  /** Shares of the requests. */
  readonly fails: number;
  readonly hangs: number;
  /** It has the event, but its answer is lost. */
  readonly unanswered: number;
}

const TIMEOUT_MS: Milliseconds = 10_000;
const USUAL_MS: Milliseconds = 200;

/** Receivers of webhooks, by address: which events each has acknowledged. */
export class Receivers {
  habits: ReceiverHabits = { fails: 0, hangs: 0, unanswered: 0 };
  private readonly received = new Map<string, Set<string>>();

  constructor(private readonly sim: Simulator) {}

  add(url: string): void {
    this.received.set(url, new Set());
  }

  get urls(): readonly string[] {
    return [...this.received.keys()];
  }

  eventsOf(url: string): ReadonlySet<string> {
    return this.received.get(url)!;
  }

  clientOf(program: Program): WebhookClient {
    return new SimulatedClient(program, (request) => this.receive(program, request));
  }

  private async receive(program: Program, { target, headers }: WebhookRequest): Promise<WebhookAnswer> {
    const { fails, hangs, unanswered } = this.habits;
    const { random } = this.sim;
    const name = `${program.name} posts ${headers['webhook-id']}`;
    const durationMs = Math.ceil(random.next() * USUAL_MS);
    const isHanging = random.chance(hangs);
    if (isHanging) await program.sleep(TIMEOUT_MS, `${name}: timeout`);
    else await program.sleep(durationMs, name);
    if (isHanging) return { failureCode: 'TIMEOUT', durationMs: TIMEOUT_MS };
    if (random.chance(fails)) return { failureCode: 'HTTP_STATUS', responseStatus: 500, durationMs };
    this.received.get(target)!.add(headers['webhook-id']!);
    if (random.chance(unanswered)) return { failureCode: 'CONNECTION_FAILED', durationMs };
    return { responseStatus: 200, durationMs };
  }
}

class SimulatedClient extends WebhookClient {
  constructor(
    private readonly program: Program,
    private readonly receive: (request: WebhookRequest) => Promise<WebhookAnswer>,
  ) {
    super();
  }

  async examine(url: string): Promise<TargetVerdict> {
    return { allowed: true, target: url };
  }

  send(request: WebhookRequest): Promise<WebhookAnswer> {
    return this.program.live(this.receive(request));
  }

  async close(): Promise<void> {}
}
