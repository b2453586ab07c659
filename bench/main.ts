import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { benchAttacks } from './attacks/main.js';
import { describeMachine } from './machine.js';
import { makeManyJobs } from './many-jobs.js';
import type { Bench, Figure, Measure } from './measure.js';
import { measures } from './measures.js';
import { serverMeasures } from './measures/servers.js';
import { writeResults, type Failure } from './report/results.js';
import { machineLine, table } from './report/table.js';
import { ServiceProcess } from './programs/service.js';
import { inTemporaryFolder } from './temporary-folder.js';

const all = [...measures, ...serverMeasures];

const USAGE = `usage: npm run bench -- [measure …] [--quick] [--jobs N] [--stores embedded|servers]
       npm run bench -- attacks [--only A1,A4] [--rounds N] [--seconds N]

  --quick    3 short rounds on a smaller store, to check that the bench itself works
  --jobs N   jobs in the large store (1,000,000)
  --stores   all measures of embedded stores (as without it), or of servers: those of EVENTSTORE_URL and MONGODB_URL,
             else servers for tests. A measure that is named needs no --stores.

${all.map(({ name, about }) => `  ${name.padEnd(15)} ${about}`).join('\n')}
`;

const EX_USAGE = 64;

interface Asked {
  readonly chosen: readonly Measure[];
  readonly quick: boolean;
  readonly jobs: number;
}

/** What to measure, or what to say instead. */
function asked(args: readonly string[]): Asked | string {
  const jobsAt = args.indexOf('--jobs');
  const quick = args.includes('--quick');
  const jobs = jobsAt < 0 ? (quick ? 50_000 : 1_000_000) : Number(args[jobsAt + 1]);
  const storesAt = args.indexOf('--stores');
  const stores = storesAt < 0 ? 'embedded' : args[storesAt + 1];
  const values = [jobsAt, storesAt].filter((at) => at >= 0).map((at) => at + 1);
  const names = args.filter((arg, n) => !arg.startsWith('--') && !values.includes(n));
  if (stores !== 'embedded' && stores !== 'servers') return USAGE;
  if (args.includes('--help') || !Number.isInteger(jobs) || jobs < 1) return USAGE;
  const ofStores = stores === 'servers' ? serverMeasures : measures;
  const known = storesAt < 0 ? all : ofStores;
  const unknown = names.find((name) => !known.some((measure) => measure.name === name));
  if (unknown !== undefined)
    return `there is no measure ${unknown}${storesAt < 0 ? '' : ` of ${stores}`}; see --help`;
  const chosen = names.length === 0 ? ofStores : known.filter(({ name }) => names.includes(name));
  return { chosen, quick, jobs };
}

const say = (text: string) => process.stderr.write(`${text}\n`);

/** The first measure that needs the large store fills it and builds its read models. */
function benchIn(root: string, { quick, jobs }: Asked): Bench {
  let many: Promise<string> | undefined;
  const folder = (name: string) => {
    const made = path.join(root, name);
    mkdirSync(made);
    return made;
  };
  const makeMany = async () => {
    const dataDir = folder('many-jobs');
    const began = performance.now();
    const { events } = await makeManyJobs(dataDir, jobs);
    const filled = performance.now();
    await (await ServiceProcess.start(dataDir)).stop();
    const [fill, build] = [filled - began, performance.now() - filled].map((ms) => Math.round(ms / 1000));
    say(`  ${jobs} jobs, ${events} events: written in ${fill} s, read models built in ${build} s`);
    return dataDir;
  };
  return {
    rounds: quick ? 3 : 5,
    seconds: quick ? 2 : 5,
    manyJobs: jobs,
    folder,
    manyJobsFolder: () => (many ??= makeMany()),
    say,
  };
}

async function main(): Promise<number> {
  const args = process.argv.slice(2);
  if (args[0] === 'attacks') return benchAttacks(args.slice(1), say);
  const wanted = asked(args);
  if (typeof wanted === 'string') {
    say(wanted);
    return EX_USAGE;
  }
  return inTemporaryFolder((root) => run(root, wanted));
}

async function run(root: string, wanted: Asked): Promise<number> {
  const bench = benchIn(root, wanted);
  const figures: Figure[] = [];
  const failures: Failure[] = [];
  const machine = describeMachine(root);
  say(machineLine(machine));
  for (const measure of wanted.chosen) {
    say(`\n${measure.name}: ${measure.about}`);
    try {
      const found = await measure.run(bench);
      figures.push(...found);
      say(table(found));
    } catch (error) {
      failures.push({ measure: measure.name, error: (error as Error).message });
      say(`  measurement failed: ${(error as Error).message}`);
    }
  }
  process.stdout.write(`\n${machineLine(machine)}\n\n${table(figures)}\n`);
  say(`\n${writeResults(machine, figures, failures, wanted.quick)}`);
  return failures.length > 0 ? 1 : 0;
}

process.exit(await main());
