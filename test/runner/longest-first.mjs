import Sequencer from '@jest/test-sequencer';

/** Suites of few lines that take a minute: in a fresh clone Jest knows no durations and begins with the longest files. */
const LONG = [
  ...['/simulation/', '/instances/', '/crash/', '/chaos/clients/', 'agent-network', 'fair-printers'],
  ...['windows-', 'reading-page', 'recordings.spec', 'fuzz.spec', 'contract/mongodb'],
];

/** Begins with the suites that take longest, so that none runs alone at the end. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const isLong = ({ path }) => LONG.some((part) => path.includes(part));
    const sorted = super.sort(tests);
    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
  }
}
