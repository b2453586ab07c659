import { startDemo, type Demo } from '../../test/kit/http/demo-app.js';
import { dial, exchange, head } from '../../test/kit/http/raw.js';

const timeouts = { headers: 100, request: 200, check: 20 };

/** Requests that break off, by their status, sent after this request line. */
const BROKEN = {
  400: (line: string) => head(line, 'Host: a', 'no colon'),
  408: (line: string) =>
    head(
      line,
      'Host: a',
      'Authorization: Bearer partner',
      'Content-Type: application/json',
      'Content-Length: 9',
    ),
  431: (line: string) => head(line, 'Host: a', `X-Long: ${'a'.repeat(16_384)}`),
} as const;

describe('answering a request that does not arrive', () => {
  let demo: Demo;
  beforeAll(async () => void (demo = await startDemo({ timeouts })));
  afterAll(() => demo.close());

  it.each([
    [400, 'INVALID_REQUEST'],
    [408, 'REQUEST_TIMEOUT'],
    [431, 'HEADERS_TOO_LARGE'],
  ] as const)('uses the format of the Partner API for a %i on its paths', async (status, code) => {
    const request = BROKEN[status]('POST /v1/accounts/a/deactivate?b=c HTTP/1.1');
    const { text, ...answer } = await exchange(demo.port, request);
    expect(answer).toEqual({ status, answers: 1 });
    const [lines, body] = text.split('\r\n\r\n') as [string, string];
    const headers = Object.fromEntries(
      lines
        .toLowerCase()
        .split('\r\n')
        .map((each) => each.split(': ')),
    );
    expect(headers).toMatchObject({
      'x-svc-api-version': 'v1',
      'x-svc-managed-contract-version': 'v1',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      connection: 'close',
    });
    expect(headers.date).toMatch(/gmt$/);
    expect(JSON.parse(body)).toMatchObject({
      code,
      retryable: false,
      request_id: headers['x-svc-request-id'],
    });
    expect(JSON.parse(body)).not.toHaveProperty('contract');
  });

  it.each([400, 408, 431] as const)('knows the surface of an absolute target for a %i', async (status) => {
    const request = BROKEN[status]('POST http://print.example/v1/accounts/a/deactivate HTTP/1.1');
    const { text, ...answer } = await exchange(demo.port, request);
    expect(answer).toEqual({ status, answers: 1 });
    expect(text).toContain('x-svc-managed-contract-version: v1');
    expect(text).not.toContain('svc_api_error_v1');
  });

  it('answers an unknown path of an absolute target in the format of its surface', async () => {
    const request = head(
      'GET HTTP://print.example/v1/accounts/a/unknown HTTP/1.1',
      'Host: a',
      'Connection: close',
    );
    expect((await exchange(demo.port, request)).text).toContain('x-svc-managed-contract-version: v1');
  });

  it('uses the format of the Integration API on other paths', async () => {
    const { text } = await exchange(demo.port, BROKEN[431]('GET /elsewhere HTTP/1.1'));
    expect(text).toContain('"contract":"svc_api_error_v1","code":"SVC_HEADERS_TOO_LARGE"');
  });

  it("uses the surface of the connection's last request for an endless head", async () => {
    const { socket, next } = await dial(demo.port);
    socket.write(head('POST /v1/accounts/a/deactivate HTTP/1.1', 'Host: a', 'Content-Length: 0'));
    expect(await next((text) => text.includes('}'))).toMatchObject({ status: 401 });
    socket.write('POST /v1/acc');
    expect((await next(() => false)).text).toContain('"code":"REQUEST_TIMEOUT"');
  });
});
