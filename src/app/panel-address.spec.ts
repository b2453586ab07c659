import { panelAddressWarning } from './panel-address.js';

describe('the address at which people sign in', () => {
  const warning = (publicUrl?: string, panel = true) => panelAddressWarning({ panel, publicUrl });

  it('is warned of if it is plain http beyond this machine', () => {
    expect(warning('http://print.local:3000')).toContain('PUBLIC_URL is plain http');
  });

  it.each([undefined, 'https://print.example.com', 'http://localhost:3000', 'http://[::1]:3000'])(
    'is fine as %s',
    (publicUrl) => expect(warning(publicUrl)).toBeUndefined(),
  );

  it('is of no interest without the panel', () => {
    expect(warning('http://print.local', false)).toBeUndefined();
  });
});
