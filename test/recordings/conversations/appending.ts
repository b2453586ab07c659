import { randomUUID } from 'node:crypto';
import { kindOf, type Conversations } from '../conversation.js';
import { event } from '../requests.js';

const events = (...types: string[]) => types.map((type) => event(type));
const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));

export const appending: Conversations = {
  async 'append: first, next, conflict'(talk) {
    talk.note('first of a stream', await talk.append('a', 'no_stream', events('One', 'Two')));
    talk.note('next', await talk.append('a', 1, events('Three')));
    talk.note('no_stream again', await talk.append('a', 'no_stream', [event()]));
    talk.note('too old', await talk.append('a', 0, [event()]));
    talk.note('too new', await talk.append('a', 9, [event()]));
    talk.note('a revision of a stream that is not there', await talk.append('b', 0, [event()]));
    talk.note('any', await talk.append('a', 'any', [event()]));
    talk.note('exists', await talk.append('a', 'exists', [event()]));
    talk.note('exists, of one that does not', await talk.append('c', 'exists', [event()]));
    talk.note('no expectation at all', await talk.append('d', undefined, [event()]));
  },

  async 'append: repeats'(talk) {
    const three = events('One', 'Two', 'Three');
    const two = events('Four', 'Five');
    talk.note('first', await talk.append('a', 'no_stream', three));
    talk.note('the same', await talk.append('a', 'no_stream', three));
    talk.note('more', await talk.append('a', 2, two));
    talk.note('the first again', await talk.append('a', 'no_stream', three));
    talk.note('the second again', await talk.append('a', 2, two));
    talk.note('its beginning', await talk.append('a', 'no_stream', three.slice(0, 2)));
    talk.note('its end, at the right revision', await talk.append('a', 0, three.slice(1)));
    talk.note('its end, with expectation no_stream', await talk.append('a', 'no_stream', three.slice(1)));
    talk.note('half old, half new', await talk.append('a', 3, [two[1]!, event('New')]));
    talk.note('old ones in another order', await talk.append('a', 'no_stream', [three[1]!, three[0]!]));
    talk.note('old ids under any', await talk.append('a', 'any', three));
    const other = event('Other', { id: three[0]!.id, data: { n: 2 } });
    talk.note('old ids, other body', await talk.append('a', 'no_stream', [other, ...three.slice(1)]));
    talk.note('old ids in another stream', await talk.append('b', 'no_stream', three));
    const all = [...three, ...two];
    talk.note('more than was written, same beginning', await talk.append('a', 'no_stream', all));
    talk.note(
      'more than was written, with a new end',
      await talk.append('a', 'no_stream', [...all, event('Six')]),
    );
  },

  async 'append: one id twice in one append'(talk) {
    const id = randomUUID();
    const twice = [event('One', { id }), event('Two', { id })];
    talk.note('twice', await talk.append('a', 'no_stream', twice));
    talk.note('read', await talk.read({ stream: 'a' }));
  },

  async 'append: at the same time'(talk) {
    const one = event();
    const answers = await Promise.all(times(8, () => talk.append('a', 'no_stream', [one])));
    talk.note('the same append eight times', { answers: [...new Set(answers.map(kindOf))].sort() });
    const rivals = await Promise.all(times(8, () => talk.append('b', 'no_stream', [event()])));
    talk.note('eight rivals', { answers: rivals.map(kindOf).sort() });
  },

  async 'append: what may not be'(talk) {
    const first = (stream: string, ...parts: Parameters<typeof event>) =>
      talk.append(stream, 'no_stream', [event(...parts)]);
    talk.note('no events', await talk.append('a', 'no_stream', []));
    await first('b');
    talk.note('no events, once there are some', await talk.append('b', 0, []));
    talk.note('no type', await first('c', 'x', { drop: 'type' }));
    talk.note('no content type', await first('d', 'x', { drop: 'content-type' }));
    talk.note('no id', await first('e', 'x', { drop: 'id' }));
    talk.note('an id that is none', await first('f', 'x', { id: 'not-a-uuid' }));
    talk.note('an empty type', await first('g', ''));
    talk.note('data that is no JSON, said to be', await first('h', 'x', { data: '{' }));
    talk.note('an empty stream name', await first(''));
    const text = { contentType: 'text/plain', data: 'hello' };
    talk.note('another content type', await first('i', 'x', text));
  },

  async 'append: size'(talk) {
    const big = (bytes: number) => event('Big', { data: JSON.stringify('x'.repeat(bytes)) });
    const first = (stream: string, ...sizes: number[]) => talk.append(stream, 'no_stream', sizes.map(big));
    talk.note('1,000,000 bytes', await first('a', 1_000_000));
    talk.note('1,048,576 bytes of data', await first('b', 1_048_576));
    talk.note('1,100,000 bytes', await first('c', 1_100_000));
    talk.note('two of 600,000', await first('d', 600_000, 600_000));
    talk.note('500 of 1,000', await first('e', ...times(500, () => 1_000)));
  },
};
