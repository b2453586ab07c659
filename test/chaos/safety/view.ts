import type { Answered } from '../../kit/http/client.js';
import type { TestService } from '../../kit/service.js';
import { ownRequest, pathOf, send } from './requests.js';
import { isRead, type Served } from './served.js';
import type { Tenant } from './tenant.js';

const REQUEST_IDS = /"(request_id|correlation_id)":"[^"]*"/g;

/**
 * Everything a tenant can read, as text: every read operation on its own resources, each of its jobs in full,
 * and complete lists.
 */
export async function viewOf(
  service: TestService,
  operations: readonly Served[],
  tenant: Tenant,
): Promise<ReadonlyMap<string, string>> {
  const view = new Map<string, string>();
  const note = (path: string, { status, text }: Answered) => {
    view.set(path, `${status} ${text.replace(REQUEST_IDS, '')}`);
    return text;
  };
  const read = async (path: string, as: string | undefined) =>
    note(path, await service.call('GET', path, { as }));
  for (const served of operations.filter(isRead)) {
    const asked = await ownRequest(service, served, tenant);
    const path = pathOf(asked);
    if (served.method !== 'GET') {
      note(path, await send(service, asked));
      continue;
    }
    const isList = served.operation.parameters.some(({ name }) => name === 'limit');
    const text = await read(isList ? `${path}?limit=100` : path, asked.as);
    if (isList) await readEach(text, read, operations, tenant);
  }
  return view;
}

/** Each listed job, through every operation that reads one job. */
async function readEach(
  list: string,
  read: (path: string, as: string) => Promise<string>,
  operations: readonly Served[],
  tenant: Tenant,
): Promise<void> {
  const { items } = (JSON.parse(list) as { data: { items: { job_id?: string }[] } }).data;
  for (const { job_id } of items) {
    if (job_id === undefined) return;
    for (const { path, surface } of operations.filter(
      (one) => one.method === 'GET' && one.path.endsWith('{job_id}'),
    )) {
      const as = surface === 'partner' ? tenant.partner.credential : tenant.keys[0];
      await read(path.replace('{account_id}', tenant.accountId).replace('{job_id}', job_id), as);
    }
  }
}
