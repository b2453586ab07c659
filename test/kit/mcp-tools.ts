import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';

/** The object that a tool answers, or the text of a refusal. */
export type ToolAnswer = Readonly<Record<string, unknown>> | string;

/** What `print` answers. */
export interface Printed {
  readonly job: { readonly job_id: string };
  readonly printed_before: boolean;
}

/** The official client, connected to a server of tools. */
export class McpTools {
  private constructor(readonly client: Client) {}

  static async over(transport: Transport): Promise<McpTools> {
    const client = new Client({ name: 'test', version: '1.0.0' });
    await client.connect(transport);
    return new McpTools(client);
  }

  /** @param url of the service, with /v1 */
  static overHttp(url: string, key: string): Promise<McpTools> {
    const requestInit = { headers: { authorization: `Bearer ${key}` } };
    return McpTools.over(
      new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }) as Transport,
    );
  }

  async call(name: string, args: object = {}, signal?: AbortSignal): Promise<ToolAnswer> {
    const given = { name, arguments: { ...args } };
    const { structuredContent, content, isError } = await this.client.callTool(given, undefined, { signal });
    if (isError) return (content as readonly { readonly text: string }[])[0]!.text;
    return structuredContent as ToolAnswer;
  }

  async answer<T = Readonly<Record<string, unknown>>>(name: string, args?: object): Promise<T> {
    return (await this.call(name, args)) as T;
  }

  /** Prepares and prints; a refusal of either is the answer. */
  async print(request: object): Promise<Printed> {
    const prepared = await this.call('prepare_print', request);
    if (typeof prepared === 'string') return prepared as unknown as Printed;
    const { confirm, occasion } = prepared;
    return this.answer<Printed>('print', { ...request, confirm, occasion });
  }

  async names(): Promise<readonly string[]> {
    return (await this.client.listTools()).tools.map(({ name }) => name).toSorted();
  }

  close(): Promise<void> {
    return this.client.close();
  }
}
