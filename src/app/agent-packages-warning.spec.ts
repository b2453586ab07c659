import { tmpdir } from 'node:os';
import { agentPackagesWarning } from './agent-packages-warning.js';

describe('warning about the packages of the Agent', () => {
  it('names a folder that does not exist', () => {
    expect(agentPackagesWarning({ agentPackages: '/nonexistent' })).toContain(
      'AGENT_PACKAGES is /nonexistent',
    );
  });

  it.each([undefined, tmpdir()])('accepts %s', (agentPackages) => {
    expect(agentPackagesWarning({ agentPackages })).toBeUndefined();
  });
});
