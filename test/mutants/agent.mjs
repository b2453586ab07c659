import { faultsIn } from './faults.mjs';

/** Faults in the reference Agent. */
export const agent = [
  ...faultsIn('agent/work/spool-verdict', [
    {
      name: 'a cancellation while printing is certain',
      find: 'if (started)\n        return end',
      put: 'if (!started)\n        return end',
    },
    {
      name: 'a restarted spooler is believed about a cancelled job',
      find: 'return watched.restarted\n        ? end',
      put: 'return !watched.restarted\n        ? end',
    },
  ]),
  ...faultsIn('agent/work/settlement', [
    {
      name: 'a damaged journal proves that nothing was printed',
      find: 'evidence.numbered || evidence.doubtful',
      put: 'evidence.numbered',
    },
    {
      name: 'a restarted spooler proves that nothing was printed',
      find: 'restarted && reached ?',
      put: '!restarted && reached ?',
    },
  ]),
  ...faultsIn('agent/work/reports', [
    {
      name: 'two reports of a job share an id',
      find: 'uuidOf(`${lease.document_name}:${type}`, NAMESPACE)',
      put: 'uuidOf(lease.document_name, NAMESPACE)',
    },
  ]),
  ...faultsIn('agent/work/printer-turns', [
    {
      name: 'two hand-offs to one printer',
      find: 'this.last.get(printerKey) ?? Promise.resolve()',
      put: 'Promise.resolve()',
    },
  ]),
  ...faultsIn('agent/state/journal', [
    {
      name: 'trust a damaged journal',
      find: '{ held: { ...line.held, doubtful: true } }',
      put: 'line',
    },
    {
      name: 'positions of another computer count',
      find: 'this.computer = computer;\n      this.seen = undefined;',
      put: 'this.computer = computer;',
    },
  ]),
  ...faultsIn('agent/state/append-log', [
    {
      name: 'write on after a failed write',
      find: 'if (this.failure) throw this.failure;\n      await',
      put: 'await',
    },
    {
      name: 'keep a truncated line',
      find: 'if (end < text.length) await truncate(',
      put: 'if (false) await truncate(',
    },
  ]),
  ...faultsIn('agent/service/backoff', [
    {
      name: 'wait longer and longer',
      find: 'Math.min(limits.longestMs, limits.firstMs * 2 ** Math.min(attempt - 1, 20))',
      put: 'limits.firstMs * 2 ** Math.min(attempt - 1, 20)',
    },
  ]),
  ...faultsIn('agent/printers/presentable', [
    { name: 'leave out known printers first', find: '? 0 : 1}', put: '? 1 : 0}' },
  ]),
];
