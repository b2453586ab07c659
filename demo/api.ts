/** Client of the operator surface, which has no SDK; resolves to `data` of the envelope. */
export function api(base: string, credential: string) {
  return async <T>(method: 'GET' | 'POST', path: string, body?: object, headers = {}): Promise<T> => {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${credential}`,
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return (JSON.parse(text) as { data: T }).data;
  };
}

const POLL_MS = 50;

/** Polls until `poll` returns a value. @throws Error on timeout */
export async function eventually<T>(
  what: string,
  withinMs: number,
  poll: () => Promise<T | undefined>,
): Promise<T> {
  const until = Date.now() + withinMs;
  for (;;) {
    const found = await poll();
    if (found !== undefined) return found;
    if (Date.now() > until) throw new Error(`${what}: not within ${withinMs / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
