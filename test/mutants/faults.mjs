/**
 * Hand-made faults of one file: `find`, which occurs once in it, becomes `put`. The spec beside the file has to fail,
 * or another `test`; `only` names the tests of it to run.
 */
export const faultsIn = (subject, faults) =>
  faults.map((fault) => ({ file: `${subject}.ts`, test: `${subject}.spec.ts`, ...fault }));
