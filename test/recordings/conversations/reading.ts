import { moved, placeOf, quiet, typesOf, type Conversations } from '../conversation.js';
import { event, type Filter } from '../requests.js';

const BEYOND = { commit: '900000000000000', prepare: '900000000000000' };

export const reading: Conversations = {
  async 'read a stream'(talk) {
    const stream = 'a';
    const types = ['One', 'Two', 'Three', 'Four', 'Five'];
    await talk.append(
      stream,
      'no_stream',
      types.map((type) => event(type)),
    );
    const backwards = true;
    talk.note('all of it', await talk.read({ stream }));
    talk.note('from 3', await talk.read({ stream, from: 3 }));
    talk.note('beyond its end', await talk.read({ stream, from: 9 }));
    talk.note('two of it', await talk.read({ stream, count: 2 }));
    const last = { from: 'end', backwards, count: 1 } as const;
    talk.note('backwards from its end, one', await talk.read({ stream, ...last }));
    talk.note('backwards from 2', await talk.read({ stream, from: 2, backwards }));
    talk.note('backwards from its start', await talk.read({ stream, from: 'start', backwards }));
    talk.note('forwards from its end', await talk.read({ stream, from: 'end' }));
    talk.note('none of it', await talk.read({ stream, count: 0 }));
    talk.note('one that is not there', await talk.read({ stream: 'b' }));
    talk.note('one that is not there, backwards', await talk.read({ stream: 'b', ...last }));
    talk.note('an empty name', await talk.read({ stream: '' }));
  },

  async 'read: metadata and content'(talk) {
    const text = event('Text', { contentType: 'application/octet-stream', data: 'hello' });
    await talk.append('a', 'no_stream', [event('Json'), text, event('Broken', { data: '{' })]);
    talk.note('as stored', await talk.read({ stream: 'a' }));
  },

  async 'read everything: order and places'(talk) {
    const first = placeOf(await talk.append('a', 'no_stream', [event('A0'), event('A1')]));
    const second = placeOf(await talk.append('b', 'no_stream', [event('B0')]));
    const third = placeOf(await talk.append('a', 1, [event('A2')]));
    const read = async (what: string, ...parts: Parameters<typeof talk.read>) =>
      talk.note(what, quiet(await talk.read(...parts)));
    const filter = talk.ours;
    const backwards = true;
    await read('forwards from the last of the first append, ours only', { from: first, filter });
    await read('the same, two', { from: first, filter, count: 2 });
    await read('from the second', { from: second, filter });
    await read('from the third', { from: third, filter });
    await read('backwards from the third', { from: third, backwards, filter, count: 3 });
    await read('backwards from the end, one, ours', { from: 'end', backwards, filter, count: 1 });
    await read('from one byte behind a place', { from: moved(first, 1n), filter });
    const between = { commit: first.commit, prepare: moved(first, 1n).prepare };
    await read('from commit before prepare', { from: between, filter });
    await read('from far beyond the end', { from: BEYOND, filter });
    await read('backwards from far beyond the end', { from: BEYOND, backwards, count: 1, filter });
    await read('forwards from the end', { from: 'end', filter });
    await read('backwards from the start', { from: 'start', backwards });
  },

  async 'read everything: filters'(talk) {
    const first = await talk.append('a', 'no_stream', [event('Alpha'), event('Beta'), event('$Gamma')]);
    await talk.append('b', 'no_stream', [event('Alpha'), event('Delta')]);
    const types = async (what: string, filter: Filter) => {
      const heard = await talk.read({ from: placeOf(first), filter });
      talk.note(what, { end: heard.end, types: typesOf(heard) });
    };
    await types('no system events, by type', { regex: '^[^$]', window: 32 });
    await types('prefixes of types', { prefixes: ['Al', 'De'], window: 32 });
    await types('a regex that is none', { regex: '[', window: 32 });
    await types('no window', { regex: '^[^$]' });
  },
};
