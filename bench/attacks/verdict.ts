import { median } from '../statistics.js';
import type { Attack, Counts } from './attack.js';
import type { Phase, Round } from './round.js';
import { LANES, type LaneName, type LaneResult } from './victim.js';

/** Limit of the latency under attack, as a multiple of the quiet one. */
const MAX_RATIO = 3;
/** Lower bound of the quiet latency in ratios, so that noise of a few milliseconds decides nothing. */
const FLOOR_MS = 20;
const MAX_MB = 512;

const EXPECTED: Readonly<Record<LaneName, string>> = { small: '201', large: '201', read: '200' };

export interface Verdict {
  readonly attack: Attack;
  readonly rounds: readonly Round[];
  /** Broken conditions of the victim and of the memory; those of the checks are in the rounds. */
  readonly failures: readonly string[];
  readonly isOk: boolean;
}

export function judge(attack: Attack, rounds: readonly Round[]): Verdict {
  const failures: string[] = [];
  for (const lane of LANES) {
    const ratio = ratioOf(rounds, lane);
    if (ratio >= MAX_RATIO) failures.push(`p99 of ${lane} ${ratio.toFixed(1)} x`);
    for (const phase of ['attacked', 'recovered'] as const) {
      const failed = refusals(
        rounds.map((round) => victimIn(round, phase)[lane].outcomes),
        EXPECTED[lane],
      );
      if (failed) failures.push(`${lane} ${phase}: ${failed}`);
    }
    const slow = median(rounds.map(({ recovered, quiet }) => ratio50(recovered[lane], quiet.victim[lane])));
    if (slow >= MAX_RATIO) failures.push(`p50 of ${lane} afterwards ${slow.toFixed(1)} x`);
  }
  const peak = peakOf(rounds);
  if (peak > MAX_MB) failures.push(`${Math.round(peak)} MB`);
  const isBroken = rounds.some(({ checks }) => checks.some(({ ok }) => !ok));
  return { attack, rounds, failures, isOk: failures.length === 0 && !isBroken };
}

const victimIn = (round: Round, phase: 'attacked' | 'recovered') =>
  phase === 'attacked' ? round.attacked.victim : round.recovered;

const ratio50 = (after: LaneResult, quiet: LaneResult) => after.p50 / Math.max(FLOOR_MS, quiet.p50);

/** p99 under attack of the quiet p99: median of the rounds. */
function ratioOf(rounds: readonly Round[], lane: LaneName): number {
  const ratio = ({ quiet, attacked }: Round) =>
    attacked.victim[lane].p99 / Math.max(FLOOR_MS, quiet.victim[lane].p99);
  return median(rounds.map(ratio));
}

const peakOf = (rounds: readonly Round[]) => Math.max(...rounds.map(({ peakMb }) => peakMb));

/** `3 × 503, 1 × timeout`; empty if all were as expected. */
function refusals(counts: readonly Counts[], expected: string): string {
  const { [expected]: _, ...others } = summed(counts);
  return shown(others);
}

function summed(counts: readonly Counts[]): Counts {
  const sum: Counts = {};
  for (const one of counts) {
    for (const [outcome, count] of Object.entries(one)) sum[outcome] = (sum[outcome] ?? 0) + count;
  }
  return sum;
}

const shown = (counts: Counts) =>
  Object.entries(counts)
    .map(([outcome, count]) => `${count} × ${outcome}`)
    .join(', ');

const HEAD = [
  'attack',
  ...LANES.map((lane) => `${lane}: p50, p99 quiet → attacked (x)`),
  'refused or unanswered',
  'peak RSS',
  'CPU-s service (attacker)',
  'verdict',
];

/** Rows of a Markdown table. */
export function tableOf(verdicts: readonly Verdict[]): string {
  const rows = [HEAD, HEAD.map(() => '---'), ...verdicts.map(cellsOf)];
  return rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function cellsOf({ attack, rounds, isOk }: Verdict): string[] {
  const middle = (of: (round: Round) => number) => median(rounds.map(of));
  const latency = (phase: (round: Round) => Phase, lane: LaneName) =>
    `${ms(middle((one) => phase(one).victim[lane].p50))}, ${ms(middle((one) => phase(one).victim[lane].p99))}`;
  const quiet = (round: Round) => round.quiet;
  const attacked = (round: Round) => round.attacked;
  const refused = LANES.map((lane) => {
    const failed = refusals(
      rounds.map((round) => attacked(round).victim[lane].outcomes),
      EXPECTED[lane],
    );
    return failed && `${lane} ${failed}`;
  });
  const cpu = (value: number) => value.toFixed(1);
  return [
    attack.name,
    ...LANES.map(
      (lane) => `${latency(quiet, lane)} → ${latency(attacked, lane)} (${ratioOf(rounds, lane).toFixed(1)})`,
    ),
    refused.filter(Boolean).join('; ') || 'none',
    `${Math.round(peakOf(rounds))} MB`,
    `${cpu(middle((one) => one.quiet.cpu))} → ${cpu(middle((one) => one.attacked.cpu))} ` +
      `(${cpu(middle((one) => one.attacker.cpu))})`,
    isOk ? 'ok' : 'FAIL',
  ];
}

const ms = (value: number) => (value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(1));

/** The attacker's answers, the checks and the broken conditions. */
export function notesOf({ attack, rounds, failures }: Verdict): string {
  const checks = rounds.flatMap((round) => round.checks);
  return [
    `${attack.name}: ${attack.about}`,
    `  attacker: ${shown(summed(rounds.map(({ attacker }) => attacker.counts))) || 'no answers'}`,
    ...checks.map(({ about, ok }) => `  ${ok ? 'ok' : 'FAIL'}: ${about}`),
    ...failures.map((failure) => `  FAIL: ${failure}`),
  ].join('\n');
}
