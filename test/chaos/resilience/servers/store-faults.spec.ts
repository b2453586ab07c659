import { jest } from '@jest/globals';
import { eventStoreFaults, readStoreFaults } from './kit/faults.js';
import { Lane } from './kit/lane.js';
import { workerFaults } from './kit/worker-faults.js';

jest.setTimeout(150_000);

const lanes = [
  { who: 'the event store', faults: eventStoreFaults, workers: 0 },
  { who: 'the read store', faults: readStoreFaults, workers: 0 },
  { who: 'a worker', faults: workerFaults, workers: 2 },
];

describe('a service goes on, and nobody is told anything wrong', () => {
  const running = new Map<string, Lane>();
  beforeAll(() => {
    for (const { who, faults, workers } of lanes) running.set(who, new Lane(faults, { workers }));
  });
  afterAll(() => Promise.all([...running.values()].map((lane) => lane.remove())));

  const cases = lanes.flatMap(({ who, faults }) => faults.map((fault) => ({ who, name: fault.name, fault })));
  it.each(cases)('while $who $name', ({ who, fault }) => running.get(who)!.result(fault));

  it.each(lanes)('beside faults of $who, and ends as it is told', ({ who }) => running.get(who)!.end());
});
