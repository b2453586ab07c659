import { existsSync } from 'node:fs';
import type { Config } from '../config.js';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

export function panelAddressWarning({ panel, publicUrl }: Pick<Config, 'panel' | 'publicUrl'>) {
  if (!panel || publicUrl === undefined) return undefined;
  const { protocol, hostname } = new URL(publicUrl);
  if (protocol === 'https:' || LOOPBACK.has(hostname)) return undefined;
  return 'PUBLIC_URL is plain http: passwords and sessions of the panel can be read on the way; use https, or set PANEL=off';
}

/** The folder may be mounted later, so the start goes on. */
export function agentPackagesWarning({ agentPackages }: Pick<Config, 'agentPackages'>): string | undefined {
  if (agentPackages === undefined || existsSync(agentPackages)) return undefined;
  return `AGENT_PACKAGES is ${agentPackages}, which does not exist: /panel/agent/ offers no packages`;
}
