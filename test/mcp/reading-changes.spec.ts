import { replyTo } from '../../mcp/http.js';

/** Answers pages of these sizes one after another; the cursor of a page is its number. */
function pagesOf(...sizes: readonly number[]): typeof fetch {
  return async (url) => {
    const page = Number(new URL(String(url)).searchParams.get('after'));
    const data = {
      items: Array.from({ length: sizes[page]! }, (_, n) => ({ event_id: `${page}-${n}` })),
      next_cursor: String(page + 1),
      has_more: page + 1 < sizes.length,
    };
    return Response.json({ code: 'SVC_OK', data });
  };
}

async function changesAfter(after: string, pages: typeof fetch) {
  const params = { name: 'list_changes', arguments: { after } };
  const { body } = await replyTo({
    message: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    apiKey: 'svc_live_test',
    version: '1.0.0',
    ...{ session: undefined, protocol: undefined },
    may: () => true,
    fetch: pages,
  });
  const { result } = JSON.parse(body!) as {
    result: { structuredContent: { changes: { event_id: string }[]; cursor: string } };
  };
  return result.structuredContent;
}

describe('reading changes by a tool', () => {
  it('answers each change once, although pages are not full', async () => {
    const pages = pagesOf(150, 100, 0, 30);
    const seen: string[] = [];
    let cursor = '0';
    while (cursor !== '4') {
      const part = await changesAfter(cursor, pages);
      expect(part.changes.length).toBeLessThanOrEqual(200);
      seen.push(...part.changes.map(({ event_id }) => event_id));
      cursor = part.cursor;
    }
    expect(seen).toHaveLength(280);
    expect(new Set(seen).size).toBe(280);
  });
});
