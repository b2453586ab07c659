import type { EndpointQueue } from './endpoint-queue.js';

/** Turns of the accounts, and within each of its endpoints. */
export class AccountRound {
  private readonly accounts = new Map<string, Set<EndpointQueue>>();

  add(queue: EndpointQueue): void {
    const queues = this.accounts.get(queue.webhook.accountId);
    if (queues) queues.add(queue);
    else this.accounts.set(queue.webhook.accountId, new Set([queue]));
  }

  delete(queue: EndpointQueue): void {
    const queues = this.accounts.get(queue.webhook.accountId);
    if (queues?.delete(queue) && queues.size === 0) this.accounts.delete(queue.webhook.accountId);
  }

  /** The queue moves to the end of its account's round, and the account to the end of all. */
  next(mayTake: (accountId: string) => boolean): EndpointQueue | undefined {
    for (const [accountId, queues] of this.accounts) {
      if (!mayTake(accountId)) continue;
      const [queue] = queues;
      this.accounts.delete(accountId);
      this.accounts.set(accountId, queues);
      queues.delete(queue!);
      queues.add(queue!);
      return queue;
    }
    return undefined;
  }
}
