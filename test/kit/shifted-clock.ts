/** Options of Node that shift the wall clock of a process; its monotonic clock stays. */
export function shiftedClock(ms: number): readonly string[] {
  const code = `const Real = Date;
globalThis.Date = class Date extends Real {
  constructor(...given) { given.length > 0 ? super(...given) : super(Real.now() + ${ms}); }
  static now() { return Real.now() + ${ms}; }
};`;
  return ['--import', `data:text/javascript,${encodeURIComponent(code)}`];
}
