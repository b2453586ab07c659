import {
  WebhookClient,
  type TargetVerdict,
  type WebhookAnswer,
  type WebhookRequest,
} from '../../src/contexts/webhooks/client/webhook-client.port.js';

/** A pending request. */
export interface HeldRequest {
  readonly target: string;
  readonly eventId: string;
  readonly deliveryId: string;
  readonly headers: WebhookRequest['headers'];
  readonly body: Record<string, unknown>;
  answer(answer?: Partial<WebhookAnswer>): void;
}

type Behaviour = (request: HeldRequest) => void;

export const taken: Partial<WebhookAnswer> = { responseStatus: 200 };
export const failing: Partial<WebhookAnswer> = { responseStatus: 500, failureCode: 'HTTP_STATUS' };
export const silent: Partial<WebhookAnswer> = { failureCode: 'TIMEOUT' };

/** Webhook receivers without a network: records every request; tests control answers and their time. */
export class ManualReceiver extends WebhookClient {
  readonly requests: HeldRequest[] = [];
  /** Unanswered requests. */
  readonly held = new Set<HeldRequest>();
  /** Maximum number of concurrent requests, in total. */
  most = 0;
  readonly mostAt = new Map<string, number>();
  /** Behaviour by target; by default requests are accepted. */
  readonly behaviours = new Map<string, Behaviour>();

  async examine(target: string): Promise<TargetVerdict> {
    return { allowed: true, target };
  }

  send({ target, headers, body }: WebhookRequest): Promise<WebhookAnswer> {
    return new Promise((resolve) => {
      const request: HeldRequest = {
        target,
        headers,
        eventId: headers['x-svc-event-id']!,
        deliveryId: headers['x-svc-delivery-id']!,
        body: JSON.parse(Buffer.from(body).toString()) as Record<string, unknown>,
        answer: (answer = taken) => {
          this.held.delete(request);
          resolve({ durationMs: 1, ...answer });
        },
      };
      this.requests.push(request);
      this.held.add(request);
      this.count(target);
      (this.behaviours.get(target) ?? ((it) => it.answer()))(request);
    });
  }

  /** Sets the answer for further requests to this target; without one they are held. */
  behave(target: string, answer?: Partial<WebhookAnswer>): void {
    this.behaviours.set(target, (request) => answer && request.answer(answer));
  }

  to(target: string): readonly HeldRequest[] {
    return this.requests.filter((request) => request.target === target);
  }

  heldAt(target: string): readonly HeldRequest[] {
    return [...this.held].filter((request) => request.target === target);
  }

  async close(): Promise<void> {
    this.held.clear();
  }

  private count(target: string): void {
    this.most = Math.max(this.most, this.held.size);
    this.mostAt.set(target, Math.max(this.mostAt.get(target) ?? 0, this.heldAt(target).length));
  }
}
