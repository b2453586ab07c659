import { view, type WriterFixture } from './writer-fixture.js';

/** Tasks of the projector besides writing. */
export function viewUpkeepContract(fixture: WriterFixture): void {
  const mine = () => fixture.instances[0];
  const theirs = () => fixture.instances[1];

  describe('requests to the leader', () => {
    it('wait for an answer for the requester', async () => {
      const rebuild = { id: 'request-1', kind: 'rebuild', view: view.name } as const;
      const verify = { id: 'request-2', kind: 'verify' } as const;
      for (const one of [rebuild, verify, rebuild]) await mine().writer.request(one);
      expect(await theirs().writer.requested()).toEqual([rebuild, verify]);
      await theirs().writer.answer(rebuild, { failure: 'there is no view' });
      await theirs().writer.answer(verify, { result: [{ 'a.b': { $c: 1 } }] });

      expect(await mine().writer.answerOf('request-1')).toEqual({ failure: 'there is no view' });
      expect(await mine().writer.answerOf('request-2')).toEqual({ result: [{ 'a.b': { $c: 1 } }] });
      expect(await mine().writer.answerOf('request-3')).toBeUndefined();
      expect(await mine().writer.requested()).toEqual([]);
    });
  });
}
