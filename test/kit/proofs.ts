import type { Reachable } from './world.js';

/** Publishes a checkpoint of all events so far, on request of the operator. */
export const publishEvidence = (service: Reachable) => service.operate('POST', '/evidence/publish');

/** What an auditor gets with an API key: a proof file, a note or the key of the log. @param path below /evidence */
export async function taken(service: Reachable, key: string, path: string): Promise<string> {
  const { status, text } = await service.call('GET', `/evidence${path}`, { as: key });
  if (status !== 200) throw new Error(`GET /evidence${path}: ${status} ${text}`);
  return text;
}

/** Number of leaves that a checkpoint covers. */
export const sizeOf = (checkpoint: string): number => Number(checkpoint.split('\n')[1]);

/** The events of a proof file: each entry, and its body. */
export const eventsIn = (file: string): readonly string[] => file.match(/^(entry|body) .*$/gm) ?? [];
