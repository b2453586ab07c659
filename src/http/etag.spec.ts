import { isKnown, pageEtag, revisionEtag } from './etag.js';

describe('validating what a client holds', () => {
  const etag = revisionEtag(7);

  it('knows its own tag, weak or strong, alone or in a list', () => {
    for (const given of [etag, '"7"', `"6", ${etag}`, `W/"a,b" ,"7"`, '*', ' * '])
      expect(isKnown(given, etag)).toBe(true);
  });

  it('knows no other, and nothing that is no tag', () => {
    for (const given of [undefined, '', '7', '"70"', 'W/"6"', 'w/7', '"7', '**'])
      expect(isKnown(given, etag)).toBe(false);
  });

  it('depends on what a page holds and on its order', () => {
    expect(pageEtag(['a 1', 'b 2'])).toBe(pageEtag(['a 1', 'b 2']));
    expect(pageEtag(['a 1', 'b 2'])).toMatch(/^W\/"[\w-]{22}"$/);
    for (const other of [['a 1'], ['b 2', 'a 1'], ['a 1', 'b 3'], []])
      expect(pageEtag(other)).not.toBe(pageEtag(['a 1', 'b 2']));
  });
});
