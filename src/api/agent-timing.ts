import { MAX_LEASES, MAX_LEASES_PER_PRINTER } from '../contexts/jobs/index.js';
import type { Milliseconds } from '../kernel/time.js';

/** Provider token of `AgentTiming`. */
export const AGENT_TIMING = Symbol('agent timing');

/** Intervals that the service sets for agents (docs/agent-protocol.md). */
export interface AgentTiming {
  readonly leaseMs: Milliseconds;
  readonly presenceTimeoutMs: Milliseconds;
  /** Base URL for agents; absent: the address that they called. */
  readonly publicUrl: string | undefined;
}

const POLL_WAIT_SECONDS = 25;
const HEARTBEAT_SECONDS = 20;

/** A lease must survive two lost heartbeats, and so must the online status. */
export function heartbeatSeconds({
  leaseMs,
  presenceTimeoutMs,
}: Pick<AgentTiming, 'leaseMs' | 'presenceTimeoutMs'>): number {
  return Math.min(HEARTBEAT_SECONDS, leaseMs / 3000, presenceTimeoutMs / 3000);
}

export function agentConfig(timing: AgentTiming) {
  return {
    poll_wait_seconds: POLL_WAIT_SECONDS,
    heartbeat_seconds: heartbeatSeconds(timing),
    lease_seconds: timing.leaseMs / 1000,
    max_leases: MAX_LEASES,
    max_leases_per_printer: MAX_LEASES_PER_PRINTER,
  };
}
