import { given, report } from '../programs/program.js';
import type { Counts } from './attack.js';
import { attacks } from './attacks.js';

export interface AttackerParameters {
  readonly name: string;
  readonly url: string;
  readonly seconds: number;
  readonly given: object;
}

export interface AttackerReport {
  readonly counts: Counts;
  /** CPU-seconds of the attacker. */
  readonly cpu: number;
}

/** Separate process: one attack. */
const asked = given<AttackerParameters>();
const attack = attacks.find(({ name }) => name === asked.name)!;
const counts: Counts = {};
const cpu = process.cpuUsage();
const until = performance.now() + asked.seconds * 1000;
await attack.run({ url: asked.url, until, counts }, asked.given);
const { user, system } = process.cpuUsage(cpu);
report<AttackerReport>({ counts, cpu: (user + system) / 1e6 });
