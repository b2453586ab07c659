import { readFileSync } from 'node:fs';
import type { Scripted } from './scripted-server.js';

const read = (name: string) => JSON.parse(readFileSync(`sdks/vectors/${name}.json`, 'utf8')) as unknown;

interface Expected {
  readonly error?: Readonly<Record<string, unknown>>;
}

/** sdks/vectors: what every client must do. README.md there describes them. */
export interface WebhookVector {
  readonly name: string;
  readonly secrets: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body_base64: string;
  readonly now: number;
  readonly tolerance_seconds: number;
  readonly expect: { readonly event_type: string } | { readonly refused: string };
}

export interface RetryVector {
  readonly name: string;
  readonly call: 'get' | 'create' | 'cancel' | 'test';
  /** Names of `answers`. */
  readonly script: readonly string[];
  readonly max_retries?: number;
  readonly deadline?: number;
  readonly expect: Expected & {
    readonly requests: number;
    /** Least and largest seconds of each pause. */
    readonly pauses: readonly (readonly [number, number])[];
  };
}

export interface KeyVector {
  readonly name: string;
  readonly call: string;
  readonly key?: string;
  readonly expect: { readonly sent: 'made' | 'given' | 'none' };
}

export interface CursorVector {
  readonly name: string;
  readonly stored?: string;
  readonly after?: string;
  readonly follow: boolean;
  readonly take?: number;
  readonly pages: readonly Scripted[];
  readonly expect: Expected & {
    readonly asked: readonly (string | null)[];
    readonly items: readonly string[];
    readonly saved: readonly string[];
  };
}

export const webhooks = read('webhooks') as { readonly cases: readonly WebhookVector[] };
export const retries = read('retries') as {
  readonly answers: Readonly<Record<string, Scripted>>;
  readonly cases: readonly RetryVector[];
};
export const keys = read('keys') as {
  readonly made_pattern: string;
  readonly cases: readonly KeyVector[];
};
export const cursors = read('cursors') as { readonly cases: readonly CursorVector[] };
