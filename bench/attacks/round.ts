import { setTimeout as pause } from 'node:timers/promises';
import { runProgram } from '../programs/program.js';
import { ServiceProcess } from '../programs/service.js';
import { costOf, forgetPeak, memoryOf, usageOf } from '../programs/usage.js';
import type { Attack, Check } from './attack.js';
import type { AttackerParameters, AttackerReport } from './attacker.program.js';
import { Victim, type VictimReport } from './victim.js';

/** Default rate limits. The victim stays within them by using several keys. */
const DEFAULT_LIMITS = { RATE_LIMIT_FACTOR: '1', LOG_LEVEL: 'error' };
const WARM_UP_SECONDS = 4;
/** From the start of the attacker's process to the first measured request. */
const RAMP_MS = 1_500;
const RECOVERY_MS = 2_000;
const RECOVERED_SECONDS = 4;
const SAMPLE_MS = 100;

export interface Phase {
  readonly victim: VictimReport;
  /** CPU-seconds of the service. */
  readonly cpu: number;
}

export interface Round {
  readonly quiet: Phase;
  readonly attacked: Phase;
  readonly recovered: VictimReport;
  /** Highest resident memory from the start of the attack, in megabytes (10^6). */
  readonly peakMb: number;
  readonly attacker: AttackerReport;
  readonly checks: readonly Check[];
}

/** Measures a victim on a new service: alone, under attack, and afterwards. */
export async function runRound(attack: Attack, dataDir: string, seconds: number): Promise<Round> {
  const service = await ServiceProcess.start(dataDir, { env: { ...DEFAULT_LIMITS, ...attack.env } });
  let close: (() => void) | undefined;
  try {
    const victim = await Victim.open(service);
    const prepared = await attack.prepare(service, victim.customer);
    close = prepared.close;
    await victim.work(WARM_UP_SECONDS);
    const quiet = await phase(service, victim, seconds);
    const memory = watchMemory(service.pid);
    const attacking = runProgram<AttackerParameters, AttackerReport>('attacks/attacker.program.js', {
      ...{ name: attack.name, url: service.url, given: prepared.given },
      seconds: seconds + RAMP_MS / 1000 + 1,
    });
    await pause(RAMP_MS);
    const checksOf = async (check: (() => Promise<Check[]>) | undefined) =>
      (await check?.().catch((error: Error) => [{ about: error.message, ok: false }])) ?? [];
    const [attacked, during] = await Promise.all([
      phase(service, victim, seconds),
      checksOf(prepared.during),
    ]);
    const attacker = await attacking;
    await pause(RECOVERY_MS);
    const [recovered, after] = await Promise.all([
      victim.work(RECOVERED_SECONDS),
      checksOf(prepared.after && (() => prepared.after!(attacker.counts))),
    ]);
    return { quiet, attacked, recovered, peakMb: memory.stop(), attacker, checks: [...during, ...after] };
  } finally {
    close?.();
    await service.stop();
  }
}

async function phase({ pid }: ServiceProcess, victim: Victim, seconds: number): Promise<Phase> {
  const before = usageOf(pid);
  const report = await victim.work(seconds);
  try {
    return { victim: report, cpu: costOf(before, usageOf(pid), 1_000).total };
  } catch {
    return { victim: report, cpu: NaN }; // The service has ended.
  }
}

/** Reads the kernel's record of the highest resident memory until `stop`, also of a process that ends meanwhile. */
function watchMemory(pid: number): { stop(): number } {
  let peak = 0;
  forgetPeak(pid);
  const sample = () => {
    try {
      ({ peak } = memoryOf(pid));
    } catch {
      clearInterval(timer);
    }
  };
  const timer = setInterval(sample, SAMPLE_MS);
  return {
    stop() {
      sample();
      clearInterval(timer);
      return peak;
    },
  };
}
