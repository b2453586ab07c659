import type { TestService } from './service.js';
import type { Browser } from './panel.js';

/** A message of the feed; a comment has no event. */
export interface FeedMessage {
  readonly event?: string;
  readonly id?: string;
  readonly data?: Readonly<Record<string, readonly string[]>>;
}

/** Open server-sent events. */
export class OpenFeed {
  private readonly decoder = new TextDecoder();
  private text = '';

  private constructor(
    readonly response: Response,
    private readonly reader: ReadableStreamDefaultReader<Uint8Array>,
  ) {}

  /** Resolves after the first comment, when the service has opened the feed. */
  static async of({ url }: TestService, { cookie }: Browser): Promise<OpenFeed> {
    return OpenFeed.at(`${url}/panel/feed`, { cookie, 'sec-fetch-site': 'same-origin' });
  }

  /** Resolves after the first comment. */
  static async at(url: string, headers: Record<string, string>): Promise<OpenFeed> {
    const response = await fetch(url, { headers });
    if (response.status !== 200) throw new Error(`no feed: ${response.status} ${await response.text()}`);
    const feed = new OpenFeed(response, response.body!.getReader());
    await feed.next();
    return feed;
  }

  /** The next message or comment; undefined at the end. */
  async next(): Promise<FeedMessage | undefined> {
    for (;;) {
      const end = this.text.indexOf('\n\n');
      if (end >= 0) {
        const message = this.text.slice(0, end);
        this.text = this.text.slice(end + 2);
        return parsed(message);
      }
      const { done, value } = await this.reader.read();
      if (done) return undefined;
      this.text += this.decoder.decode(value, { stream: true });
    }
  }

  close(): Promise<void> {
    return this.reader.cancel();
  }
}

function parsed(message: string): FeedMessage {
  const fields = message.split('\n').filter((line) => !line.startsWith(':'));
  const entries = fields.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]);
  const { data, ...others } = Object.fromEntries(entries) as Record<string, string>;
  return { ...others, ...(data !== undefined && { data: JSON.parse(data) as FeedMessage['data'] }) };
}
