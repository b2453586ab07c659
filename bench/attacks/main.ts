import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { describeMachine } from '../machine.js';
import { machineLine } from '../report/table.js';
import { rounds } from '../statistics.js';
import { inTemporaryFolder } from '../temporary-folder.js';
import type { Attack } from './attack.js';
import { attacks } from './attacks.js';
import { runRound } from './round.js';
import { judge, notesOf, tableOf, type Verdict } from './verdict.js';

const USAGE = `usage: npm run bench -- attacks [--only A1,A4] [--rounds N] [--seconds N]

  --only     attacks whose names begin so
  --rounds   rounds of each attack, each on a new service (3)
  --seconds  seconds of the victim alone, and as many under attack (12; at most 50)

${attacks.map(({ name, about }) => `  ${name.padEnd(4)} ${about}`).join('\n')}
`;

const EX_USAGE = 64;
/** The lease of the job that one attack downloads lapses after 60 s. */
const MAX_SECONDS = 50;

interface Asked {
  readonly chosen: readonly Attack[];
  readonly count: number;
  readonly seconds: number;
}

function asked(args: readonly string[]): Asked | undefined {
  const given = new Map<string, string>();
  for (let n = 0; n < args.length; n += 2) given.set(args[n]!, args[n + 1] ?? '');
  const [count, seconds] = [given.get('--rounds') ?? 3, given.get('--seconds') ?? 12].map(Number);
  const names = given.get('--only')?.split(',') ?? [''];
  const chosen = attacks.filter(({ name }) => names.some((start) => name.startsWith(start)));
  const known = [...given.keys()].every((option) => ['--only', '--rounds', '--seconds'].includes(option));
  const inRange = (value: number, most: number) => Number.isInteger(value) && value >= 1 && value <= most;
  if (!known || chosen.length === 0 || !inRange(count!, 100) || !inRange(seconds!, MAX_SECONDS))
    return undefined;
  return { chosen, count: count!, seconds: seconds! };
}

/**
 * Measures the creates and reads of a victim without and under each attack, and prints a table.
 * Resolves to the exit code: 1 if a verdict is FAIL or an attack was not measured.
 */
export async function benchAttacks(args: readonly string[], say: (text: string) => void): Promise<number> {
  const wanted = asked(args);
  if (!wanted) {
    say(USAGE);
    return EX_USAGE;
  }
  return inTemporaryFolder(async (root) => {
    const machine = machineLine(describeMachine(root));
    say(machine);
    const verdicts: Verdict[] = [];
    for (const attack of wanted.chosen) {
      try {
        const found = await rounds(wanted.count, (round) => {
          const dataDir = path.join(root, `${attack.name}-${round}`);
          mkdirSync(dataDir);
          return runRound(attack, dataDir, wanted.seconds);
        });
        verdicts.push(judge(attack, found));
        say(`\n${notesOf(verdicts.at(-1)!)}`);
      } catch (error) {
        say(`\n${attack.name} was not measured: ${(error as Error).message}`);
      }
    }
    process.stdout.write(`\n${machine}\n\n${tableOf(verdicts)}\n`);
    return verdicts.filter(({ isOk }) => isOk).length === wanted.chosen.length ? 0 : 1;
  });
}
