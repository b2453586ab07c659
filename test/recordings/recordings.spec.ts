import { startEventStoreServer, type EventStoreServer } from '../stand-ins/eventstore/eventstore-server.js';
import { VERSIONS } from '../stand-ins/eventstore/versions.js';
import { differences, NAMES, play, recordingOf } from './playing.js';

describe.each(VERSIONS)('the stand-in as %s', (version) => {
  const recording = recordingOf(version);
  let server: EventStoreServer;
  beforeAll(async () => void (server = await startEventStoreServer({ like: version })));
  afterAll(() => server.stop());

  it('replays every recorded conversation', () => {
    expect(NAMES).toEqual(Object.keys(recording));
  });

  it.each(NAMES)('answers as the server did: %s', async (name) => {
    expect(differences(await play(name, `127.0.0.1:${server.port}`), recording[name])).toEqual([]);
  });
});

describe('comparing', () => {
  const step = { what: 'append', answer: { success: { currentRevision: '0' } } };

  it.each([
    ['another value', [{ ...step, answer: { success: { currentRevision: '1' } } }]],
    ['a step less', []],
    ['a step more', [step, step]],
    ['another order of fields', [{ answer: step.answer, what: 'append' }]],
  ])('finds %s', (_what, played) => {
    expect(differences(played, [step])).toHaveLength(1);
  });
});
