import { UnavailableError } from '../../src/ports/event-store.port.js';

type Call = () => unknown;
type Fault = (call: Call) => unknown;

/** A call that waits. */
export interface Held {
  /** Resolves when the call is made. */
  readonly reached: Promise<void>;
  letGo(): void;
}

/** A port whose calls go wrong on demand, each fault once, in the order of planning. */
export class Faults<P extends object> {
  readonly port: P;
  private readonly planned = new Map<PropertyKey, Fault[]>();
  private readonly made = new Map<PropertyKey, number>();

  constructor(real: P) {
    this.port = new Proxy(real, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return (...args: unknown[]) => {
          this.made.set(name, this.calls(name) + 1);
          const call = () => Reflect.apply(member, target, args) as unknown;
          const fault = this.planned.get(name)?.shift();
          return fault ? fault(call) : call();
        };
      },
    });
  }

  /** How often it was called. */
  calls(method: PropertyKey): number {
    return this.made.get(method) ?? 0;
  }

  /** The next calls do nothing. */
  refuse(
    method: keyof P,
    times = 1,
    error: Error = new UnavailableError(`${String(method)} is refused`),
  ): void {
    for (let n = 0; n < times; n++) this.plan(method, () => Promise.reject(error));
  }

  /** The next call takes effect, but nobody hears of it. */
  loseReply(method: keyof P): void {
    this.plan(method, async (call) => {
      await call();
      throw new UnavailableError(`the reply of ${String(method)} is lost`);
    });
  }

  /** The next call is held up before it begins. */
  hold(method: keyof P): Held {
    let arrive!: () => void;
    let letGo!: () => void;
    const reached = new Promise<void>((resolve) => (arrive = resolve));
    const released = new Promise<void>((resolve) => (letGo = resolve));
    this.plan(method, async (call) => {
      arrive();
      await released;
      return call();
    });
    return { reached, letGo };
  }

  /** What the next call gives is changed. */
  distort<R>(method: keyof P, change: (given: R) => R): void {
    this.plan(method, (call) => change(call() as R));
  }

  private plan(method: PropertyKey, fault: Fault): void {
    this.planned.set(method, [...(this.planned.get(method) ?? []), fault]);
  }
}
