import { command } from '../../kernel/command.js';

/** Looks at what the member wants to be told of, and sends what is due. Harmless at any time. */
export class WatchAlerts extends command('WatchAlerts')<
  { accountId: string; memberId: string },
  { readonly ok: true }
> {}
