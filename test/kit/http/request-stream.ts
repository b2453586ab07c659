const HEAD_END = '\r\n\r\n';

/** One complete HTTP/1.1 request: its bytes, method and path. */
export interface WholeRequest {
  readonly bytes: Buffer;
  readonly method: string;
  readonly path: string;
}

/** Cuts the bytes of a connection into requests. Knows only bodies with a Content-Length, as the Agent sends them. */
export class RequestStream {
  private rest = Buffer.alloc(0);

  /** The requests that these bytes complete. */
  push(chunk: Buffer): WholeRequest[] {
    this.rest = Buffer.concat([this.rest, chunk]);
    const complete: WholeRequest[] = [];
    for (let request = this.take(); request; request = this.take()) complete.push(request);
    return complete;
  }

  private take(): WholeRequest | undefined {
    const headEnd = this.rest.indexOf(HEAD_END);
    if (headEnd < 0) return undefined;
    const head = this.rest.toString('latin1', 0, headEnd);
    if (/^transfer-encoding:/im.test(head)) throw new Error('requests in chunks are not supported');
    const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
    const end = headEnd + HEAD_END.length + length;
    if (this.rest.length < end) return undefined;
    const bytes = this.rest.subarray(0, end);
    this.rest = this.rest.subarray(end);
    const [method = '', path = ''] = head.split(' ', 2);
    return { bytes, method, path };
  }
}
