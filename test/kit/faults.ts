import { UnavailableError } from '../../src/kernel/errors.js';

type Call = () => unknown;
type Fault = (call: Call) => unknown;

/** A held call. */
export interface Held {
  /** Resolves when the call arrives. */
  readonly reached: Promise<void>;
  letGo(): void;
}

/** Wraps a port whose calls fail on demand; each fault applies once, in the planned order. */
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

  /** Number of calls. */
  calls(method: PropertyKey): number {
    return this.made.get(method) ?? 0;
  }

  /** Makes the next calls fail without effect. */
  refuse(
    method: keyof P,
    times = 1,
    error: Error = new UnavailableError(`${String(method)} is refused`),
  ): void {
    for (let n = 0; n < times; n++) this.plan(method, () => Promise.reject(error));
  }

  /** Makes the next call take effect but fail. */
  loseReply(method: keyof P): void {
    this.plan(method, async (call) => {
      await call();
      throw new UnavailableError(`the reply of ${String(method)} is lost`);
    });
  }

  /** Holds the next call before it takes effect. */
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

  /** Changes the result of the next call. */
  distort<R>(method: keyof P, change: (given: R) => R): void {
    this.plan(method, (call) => change(call() as R));
  }

  private plan(method: PropertyKey, fault: Fault): void {
    this.planned.set(method, [...(this.planned.get(method) ?? []), fault]);
  }
}
