import type { Sighting } from '../printers/provider.js';
import { settlement, type HandOffEvidence, type Settlement } from './settlement.js';

const seen = (
  state: 'waiting' | 'printing' | 'completed' | 'cancelled' | 'aborted',
  started = true,
): Sighting => ({
  state,
  spoolerJobId: '7',
  started,
});
const absent: Sighting = { state: 'absent' };
const empty: Sighting = { state: 'empty', spoolerJobId: '7' };
const forgotten = { numbered: true, restarted: true };
const nothing: HandOffEvidence = { numbered: false, restarted: false, withdrawn: false, doubtful: false };

describe('settling an interrupted hand-off', () => {
  it.each<[string, Sighting, Partial<HandOffEvidence>, Settlement]>([
    ['a job in the queue', seen('waiting', false), {}, 'spooled'],
    ['a printing job', seen('printing'), {}, 'spooled'],
    ['a completed job', seen('completed'), { restarted: true }, 'spooled'],
    ['a cancelled job', seen('cancelled', false), {}, 'spooled'],
    ['an aborted job that had started', seen('aborted'), {}, 'spooled'],
    ['an aborted job that had not started', seen('aborted', false), {}, 'not_submitted'],
    ['a job without a document', empty, { numbered: true }, 'withdraw'],
    ['a job without a document that we cancelled', empty, { withdrawn: true }, 'not_submitted'],
    ['the cancelled job after that', seen('cancelled', false), { withdrawn: true }, 'not_submitted'],
    ['a job without a document, before it is cancelled', empty, forgotten, 'withdraw'],
    [
      'a job whose document a restarted spooler may have printed and forgotten',
      empty,
      { ...forgotten, withdrawn: true },
      'restarted',
    ],
    [
      'the cancelled job after that',
      seen('cancelled', false),
      { ...forgotten, withdrawn: true },
      'restarted',
    ],
    ['an aborted job of a restarted spooler', seen('aborted', false), forgotten, 'restarted'],
    [
      'an empty job from before the restart, to which no document was sent',
      empty,
      { restarted: true, withdrawn: true },
      'not_submitted',
    ],
    ['a document that arrived before our cancellation', seen('cancelled'), { withdrawn: true }, 'spooled'],
    ['nothing, in a spooler that no hand-off reached', absent, {}, 'not_submitted'],
    ['nothing, for a known number', absent, { numbered: true }, 'vanished'],
    [
      'nothing, in a spooler that an earlier hand-off may have reached',
      absent,
      { doubtful: true },
      'vanished',
    ],
    ['nothing, in a spooler that restarted', absent, { restarted: true }, 'restarted'],
    [
      'nothing, for a number from before the restart',
      absent,
      { numbered: true, restarted: true },
      'restarted',
    ],
  ])('finds %s', (_, sighting, evidence, expected) => {
    expect(settlement(sighting, { ...nothing, ...evidence })).toBe(expected);
  });
});
