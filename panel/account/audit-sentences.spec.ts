import { kindBefore, pageOf, sentenceOf } from './audit-sentences.js';

describe('the sentences of the audit', () => {
  it('stand around what was changed', () => {
    expect(sentenceOf('WebhookResumed')).toEqual({ before: 'made the webhook ', after: ' active' });
    expect(sentenceOf('ApiKeyRevoked')).toEqual({ before: 'revoked the key ', after: '' });
  });

  it('name no subject where there is only one', () => {
    expect(sentenceOf('AccountSuspended')).toEqual({ before: 'suspended the account' });
  });

  it('show an unknown event by its type', () => {
    expect(sentenceOf('SomethingNew')).toEqual({ before: 'did SomethingNew to ', after: '' });
  });

  it('say once that a key did it', () => {
    expect(kindBefore({ kind: 'api_key', id: '7', name: 'Shop' })).toBe('key ');
    expect(kindBefore({ kind: 'api_key', id: '7', name: 'key …4f2a' })).toBe('');
    expect(kindBefore({ kind: 'operator', id: 'olga', name: 'olga' })).toBe('operator ');
    expect(kindBefore({ kind: 'member', id: '7', name: 'Bea' })).toBe('');
  });

  it('link to the page of the subject', () => {
    expect(pageOf({ kind: 'job', id: '7', name: null })).toBe('/jobs/7');
    expect(pageOf({ kind: 'printer', id: '7', name: 'Till 1' })).toBe('/devices/printers/7');
    expect(pageOf({ kind: 'member', id: '7', name: 'Bea' })).toBeUndefined();
  });
});
