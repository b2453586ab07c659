/** Declares tests that need more than Node. Where that is missing, a test says so, and the log as well. */
export function describeUnless(missing: string | undefined, subject: string, tests: () => void): void {
  if (missing === undefined) return describe(subject, tests);
  describe(subject, () => {
    it(`is not tested: ${missing}`, () => {
      process.stderr.write(`${subject}: not tested, ${missing}\n`);
    });
  });
}
