import { followedTypesOf } from '../../src/app/types-of-instances.js';
import { projectionsFor } from '../../src/app/projections.js';
import { storedEvents } from '../docs/stored-events.js';

const followed = followedTypesOf(projectionsFor({ presenceTimeoutMs: 60_000 }));

describe('the events that each instance follows', () => {
  it('are all stored events but claims, each once', () => {
    const stored = [...storedEvents().keys()].filter((type) => type !== 'Claimed');
    expect([...followed.all].sort()).toEqual(stored.sort());
  });
});
