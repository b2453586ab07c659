import { openFileLimit } from './file-limit.js';

interface Report {
  readonly userLimits?: { readonly open_files: { readonly soft: number | 'unlimited' } };
}

describe('the limit of open files', () => {
  it("equals the limit in Node's report", () => {
    const { userLimits } = process.report.getReport() as Report;
    const soft = userLimits?.open_files.soft;
    expect(openFileLimit()).toBe(typeof soft === 'number' ? soft : undefined);
  });
});
