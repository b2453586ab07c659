import { spawnSync } from 'node:child_process';
import { atLeast, type Measure } from '../measure.js';
import type { ServiceProcess } from '../programs/service.js';
import { median } from '../statistics.js';
import { creates, openCustomer } from '../world.js';
import { figuresOf, loadInTurn, ratios } from './service-load.js';
import { withService } from './with-service.js';

const DELAY_US = 2_000;
const SYNCS = 'fdatasync,fsync';

/** Delays every sync by 2 ms; traces no other system call. */
const slowDisk = [
  'strace',
  ...['-f', '-qq', '--seccomp-bpf', '-o', '/dev/null'],
  ...['-e', `trace=${SYNCS}`, '-e', `inject=${SYNCS}:delay_exit=${DELAY_US}`, '-e', 'signal=none'],
];

export const slowDiskMeasure: Measure = {
  name: 'slow-disk',
  about: 'creates with every fdatasync delayed by 2 ms (strace), against the same without',

  async run(bench) {
    if (spawnSync('strace', ['-V']).error) throw new Error('strace is not installed');
    const slowFolder = bench.folder('disk-slow');
    const [normal, slow] = await withService(bench.folder('disk-as-it-is'), (asItIs, generator) =>
      withService(
        slowFolder,
        async (slowed) => {
          const run = async (service: ServiceProcess) => {
            return { service, requests: creates(await openCustomer(service)), expected: 201 };
          };
          return loadInTurn(bench, generator, [await run(asItIs), await run(slowed)]);
        },
        { under: slowDisk },
      ),
    );
    const rate = median(normal!.results.map(({ perSecond }) => perSecond));
    return [
      {
        name: 'creates with fdatasync + 2 ms, of normal',
        unit: '%',
        rounds: ratios(slow!, normal!).map((part) => part * 100),
        target: atLeast(60),
        note: `normal: ${rate.toFixed(0)}/s`,
      },
      ...figuresOf('creates with fdatasync + 2 ms', slow!),
    ];
  },
};
