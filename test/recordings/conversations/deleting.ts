import type { Conversations } from '../conversation.js';
import { event } from '../requests.js';

export const deleting: Conversations = {
  async 'delete and go on'(talk) {
    await talk.append('a', 'no_stream', [event('One'), event('Two')]);
    talk.note('delete with a wrong revision', await talk.delete('a', 0));
    talk.note('delete', await talk.delete('a', 1));
    talk.note('read it', await talk.read({ stream: 'a' }));
    talk.note('append as if it were new', await talk.append('a', 'no_stream', [event('Three')]));
    talk.note('read again', await talk.readShown({ stream: 'a' }));
    talk.note('delete what is not there', await talk.delete('b', 'any'));
    await talk.append('c', 'no_stream', [event('One')]);
    talk.note('tombstone', await talk.tombstone('c', 0));
    talk.note('append behind a tombstone', await talk.append('c', 'no_stream', [event()]));
    talk.note('append behind it, any', await talk.append('c', 'any', [event()]));
    talk.note('read behind it', await talk.read({ stream: 'c' }));
    talk.note('tombstone again', await talk.tombstone('c', 'any'));
  },

  async 'delete, then append at the revision that was'(talk) {
    await talk.append('a', 'no_stream', [event('One'), event('Two')]);
    await talk.delete('a', 1);
    talk.note('append at revision 1', await talk.append('a', 1, [event('Three')]));
    talk.note('read', await talk.readShown({ stream: 'a' }));
  },

  async 'stream metadata'(talk) {
    await talk.append('a', 'no_stream', [event('One'), event('Two'), event('Three')]);
    const metadata = event('$metadata', { data: { $maxCount: 2 } });
    talk.note('at most two events', await talk.append('$$a', 'any', [metadata]));
    talk.note('read', await talk.read({ stream: 'a' }));
    talk.note('go on', await talk.append('a', 2, [event('Four')]));
    talk.note('read from 0', await talk.read({ stream: 'a', from: 0 }));
  },
};
