import { existsSync } from 'node:fs';
import type { Config } from '../config.js';

/** The folder may be mounted later, so the start goes on. */
export function agentPackagesWarning({ agentPackages }: Pick<Config, 'agentPackages'>): string | undefined {
  if (agentPackages === undefined || existsSync(agentPackages)) return undefined;
  return `AGENT_PACKAGES is ${agentPackages}, which does not exist: /panel/agent/ offers no packages`;
}
