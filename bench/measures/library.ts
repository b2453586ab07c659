import { makeManyJobs } from '../many-jobs.js';
import { atLeast, type Bench, type Figure, type Measure } from '../measure.js';
import type { LivesParameters, LivesReport } from '../library/lives.program.js';
import type { RebuildParameters, RebuildReport } from '../library/rebuild.program.js';
import { runProgram } from '../programs/program.js';
import { medianCost } from '../programs/usage.js';
import { median } from '../statistics.js';

const IN_FLIGHT = 512;
const REBUILT_JOBS = 50_000;

export const lives: Measure = {
  name: 'lives',
  about:
    'whole lives of jobs in one process: create (claim, content, job), lease, accept, hand-off, spooled, completed',

  async run(bench) {
    const jobs = bench.seconds * 1_500;
    const given: LivesParameters = {
      dataDir: bench.folder('lives'),
      jobs,
      inFlight: IN_FLIGHT,
      rounds: bench.rounds,
    };
    const { perSecond, costs, rssMb, appendsPerCommit } = await runProgram<LivesParameters, LivesReport>(
      'library/lives.program.js',
      given,
    );
    const figure: Figure = {
      name: 'whole lives of jobs, library',
      unit: '/s',
      rounds: perSecond,
      target: atLeast(4000),
      cost: medianCost(costs),
      rssMb,
      note: `6 durable steps and 8 events each, ${appendsPerCommit.toFixed(0)} appends a commit`,
    };
    return [figure];
  },
};

/** A create costs about a fifth of a life. */
const CREATES_FOR_A_LIFE = 5;

/** Two programs to compare: the work without something, and with it. */
interface Compared {
  readonly without: Partial<LivesParameters>;
  readonly with: Partial<LivesParameters>;
}

/** How creates or lives with something compare with those without it, per round: below 1 if it slows them. */
export interface Ratios {
  /** Of the rates. */
  readonly rates: readonly number[];
  /** Of the CPU-seconds. */
  readonly costs: readonly number[];
}

async function ratiosInTurn(
  bench: Bench,
  name: string,
  work: 'creates' | 'lives',
  compared: Compared,
): Promise<Ratios> {
  const onlyCreates = work === 'creates';
  const jobs = Math.round(bench.seconds * 1_500 * (onlyCreates ? CREATES_FOR_A_LIFE : 1));
  const once = async (which: keyof Compared, round: number) => {
    const given: LivesParameters = {
      ...{ dataDir: bench.folder(`${name.replace(/\W+/g, '-')}-${which}-${round}`), jobs },
      ...{ inFlight: IN_FLIGHT, rounds: 1, onlyCreates, ...compared[which] },
    };
    const report = await runProgram<LivesParameters, LivesReport>('library/lives.program.js', given);
    return { rate: report.perSecond[0]!, cost: report.costs[0]!.total };
  };
  const [rates, costs]: [number[], number[]] = [[], []];
  for (let round = 0; round < bench.rounds; round++) {
    // Alternating, so that compared loads run under the same conditions.
    const found: Partial<Record<keyof Compared, Awaited<ReturnType<typeof once>>>> = {};
    for (const which of round % 2 ? (['without', 'with'] as const) : (['with', 'without'] as const))
      found[which] = await once(which, round);
    rates.push(found.with!.rate / found.without!.rate);
    costs.push(found.without!.cost / found.with!.cost);
  }
  return { rates, costs };
}

/** The rates of single rounds vary by a tenth and more, so there are more and shorter ones. */
export const often = (bench: Bench): Bench => ({
  ...bench,
  rounds: bench.rounds * 3,
  seconds: bench.seconds / 2,
});

export const ratioFigure = (name: string, { rates, costs }: Ratios): Figure => ({
  ...{ name, unit: 'x', rounds: rates, target: atLeast(0.97) },
  note: `rates in turn; by CPU-seconds ${median(costs).toFixed(2)}`,
});

/** Creates or lives with something, of those without it. */
export async function ratioInTurn(
  bench: Bench,
  name: string,
  work: 'creates' | 'lives',
  compared: Compared,
): Promise<Figure> {
  return ratioFigure(name, await ratiosInTurn(often(bench), name, work, compared));
}

export const charts: Measure = {
  name: 'charts',
  about: 'creates and lives with the projections of the charts, of those without, by rates in turn',

  async run(bench) {
    const compare = (work: 'creates' | 'lives') =>
      ratioInTurn(bench, `${work} with the projections of the charts, of those without`, work, {
        without: { withoutCharts: true },
        with: {},
      });
    return [await compare('creates'), await compare('lives')];
  },
};

export const rebuild: Measure = {
  name: 'rebuild',
  about:
    'all read models rebuilt from the events: at start, live, and live of the least work of any rebuild, in turn',

  async run(bench) {
    const dataDir = bench.folder('rebuild');
    await makeManyJobs(dataDir, REBUILT_JOBS);
    const given: RebuildParameters = { dataDir, rounds: bench.rounds };
    const report = await runProgram<RebuildParameters, RebuildReport>('library/rebuild.program.js', given);
    const note = `${report.events} events`;
    const floorsPerSecond = report.floors.map(({ ms }) => (report.events * 1000) / ms);
    const floorCpu = median(report.floors.map(({ cpuSeconds }) => (cpuSeconds * 1000) / report.events));
    return [
      {
        name: 'rebuild of all read models, live',
        unit: '/s',
        rounds: report.live,
        target: atLeast(100_000),
        cost: medianCost(report.costs),
        rssMb: report.rssMb,
        note,
      },
      { name: 'rebuild of all read models, at start', unit: '/s', rounds: [report.atStart], note },
      {
        name: 'rebuild of all read models, live, of the bare floor',
        unit: 'x',
        rounds: report.live.map((perSecond, n) => perSecond / floorsPerSecond[n]!),
        target: atLeast(0.7),
        note: `floor ${Math.round(median(floorsPerSecond))}/s; by CPU-seconds ${(floorCpu / medianCost(report.costs).total).toFixed(2)}`,
      },
    ];
  },
};
