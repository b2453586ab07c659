import { answerTo } from '../../demo/usage.js';

describe('the arguments of the demonstration', () => {
  it('start it', () => {
    expect(answerTo([])).toBeUndefined();
    expect(answerTo(['--busy', '--exit'])).toBeUndefined();
  });

  it('ask for help, which names every option', () => {
    expect(answerTo(['--busy', '--help'])).toMatchObject({
      code: 0,
      text: expect.stringContaining('--windows'),
    });
  });

  it('are refused if one of them is unknown', () => {
    expect(answerTo(['--buzy'])).toMatchObject({
      code: 64,
      text: expect.stringContaining('unknown option --buzy'),
    });
  });
});
