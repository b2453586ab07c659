import { tmpdir } from 'node:os';
import { agentPackagesWarning, panelAddressWarning } from './config-warnings.js';

describe('warning about the sign-in address', () => {
  const warning = (publicUrl?: string, panel = true) => panelAddressWarning({ panel, publicUrl });

  it('warns about plain http beyond this machine', () => {
    expect(warning('http://print.local:3000')).toContain('PUBLIC_URL is plain http');
  });

  it.each([undefined, 'https://print.example.com', 'http://localhost:3000', 'http://[::1]:3000'])(
    'accepts %s',
    (publicUrl) => expect(warning(publicUrl)).toBeUndefined(),
  );

  it('ignores it without the panel', () => {
    expect(warning('http://print.local', false)).toBeUndefined();
  });
});

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
