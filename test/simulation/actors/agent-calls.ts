import type { Milliseconds } from '../../../src/kernel/time.js';
import type { Answered, Call, Fields } from '../api.js';
import type { Program } from '../engine/program.js';
import type { World } from '../world.js';
import type { Held } from './agent-disk.js';

const PAUSE_MS: Milliseconds = 2_000;

export type Step = 'acceptJob' | 'startHandoff';

/** The Agent must end. */
export class Ended extends Error {}

/** The calls of one session of an Agent. Each may throw Ended. */
export class AgentCalls {
  sessionId = '';
  private asked: Milliseconds = 0;

  constructor(
    private readonly world: World,
    private readonly program: Program,
    private readonly credential: string,
  ) {}

  async startSession(installation: string, json: Fields): Promise<Fields> {
    const { history, sim } = this.world;
    const note = () => void history.sessions.set(installation, sim.now);
    this.asked = sim.now;
    const { data } = await this.untilAnswered('agent startSession', { json }, note);
    note();
    this.sessionId = String(data.session_id);
    return data;
  }

  /** An accept or hand-off. */
  async about({ lease }: Held, operation: Step, more: object): Promise<Answered> {
    const { lease_id, fence, job_id } = lease;
    const { sessionId: session_id, asked } = this;
    const call = this.world.history.begin(operation, lease, { id: session_id, asked });
    const json = { lease_id, fence, session_id, ...more };
    const answered = await this.send(`agent ${operation}`, { params: { job_id }, json });
    call.end(answered.status);
    return answered;
  }

  async untilAnswered(
    operation: string,
    call: Omit<Call, 'as'>,
    asking: () => void = () => undefined,
  ): Promise<Answered> {
    for (; ; await this.pause()) {
      asking();
      const answered = await this.send(operation, call);
      if (answered.status !== 0 && answered.status < 500) return answered;
    }
  }

  async send(operation: string, call: Omit<Call, 'as'>): Promise<Answered> {
    const answered = await this.world.request(this.program, operation, { ...call, as: this.credential });
    if (answered.status === 401) throw new Ended('revoked');
    if (answered.code === 'SESSION_REPLACED') throw new Ended('replaced');
    if (answered.code === 'SESSION_NOT_FOUND') throw new Ended('unknown session');
    return answered;
  }

  pause = () => this.program.sleep(PAUSE_MS * (0.5 + this.world.sim.random.next()));
}
