import { COMMON_PASSWORDS, normalPassword, passwordProblem } from './password.rules.js';

const problem = (password: string) => passwordProblem(normalPassword(password), ['bea', 'demo-bakery']);

describe('rules for passwords', () => {
  it('accept any characters, from 15 to 128 of them', () => {
    expect(problem('three printers!')).toBeUndefined();
    expect(problem('abcdefghijklmn')).toBe('length');
    expect(problem('xyzab'.repeat(25) + 'abc')).toBeUndefined();
    expect(problem('xyzab'.repeat(25) + 'abcd')).toBe('length');
    expect(problem('\u0000\t\u202e 🖨 кот в мешке')).toBeUndefined();
  });

  it('count characters, not code units, after normalisation', () => {
    expect(problem('🖨📄🐈🎂🌧'.repeat(3))).toBeUndefined();
    expect(problem('éèêëẽ'.normalize('NFD').repeat(2) + 'abcd')).toBe('length');
  });

  it('refuse fewer than five different characters', () => {
    expect(problem('abcdabcdabcdabcd')).toBe('repetition');
    expect(problem('abcdabcdabcdabce')).toBeUndefined();
  });

  it('refuse the name and the slug, in any case', () => {
    expect(problem('i am Bea, hello')).toBe('name');
    expect(problem('my DEMO-bakery 2026')).toBe('name');
  });

  it('refuse every listed password, in any case', () => {
    expect(COMMON_PASSWORDS.size).toBeGreaterThan(250);
    for (const common of COMMON_PASSWORDS)
      expect(passwordProblem(common.toUpperCase(), [])).toMatch(/^(common|repetition)$/);
  });

  it('list only passwords that pass the other rules', () => {
    expect([...COMMON_PASSWORDS].filter((each) => [...each].length < 15)).toEqual([]);
  });
});
