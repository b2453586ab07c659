import { EVENT_CATALOGUE } from '../../src/api/resources/event-catalogue.js';
import { publicTypeOf, signedHeaders, PUBLISHED_EVENTS } from '../../src/contexts/webhooks/index.js';
import { openApiDocument } from '../../src/http/openapi/document.js';
import { SigningKey } from '../../src/kernel/signing-key.js';
import { agent } from '../../src/api/agent/agent.surface.js';
import { integration } from '../../src/api/integration/integration.surface.js';
import { partner } from '../../src/api/partner/partner.surface.js';
import { Conformance, type DescribedOperation, type OpenApi } from '../kit/openapi.js';
import { documentText, rowsBelow } from './markdown.js';

type Described = DescribedOperation & { readonly description: string };
type WithWebhooks = OpenApi & { readonly webhooks?: Readonly<Record<string, { readonly post: Described }>> };

const versions = { product: '2.0.59', contract: 'v1', schema: 23 } as const;
const documentOf = (surface: typeof integration) =>
  openApiDocument(surface, [], versions) as unknown as WithWebhooks;
const document = documentOf(integration);
const webhooks = document.webhooks!;
const guide = documentText('docs/webhooks.md');
const reference = documentText('docs/reference/webhook-events.md');
const types = EVENT_CATALOGUE.map(({ event_type }) => event_type);

/** Event data that covers every public event of a stored one. */
const VARIANTS = [
  { requeued: true, status: 'pending', changes: { name: 'x' } },
  { requeued: false, status: 'offline', changes: { reportedOnline: true } },
];

describe('describing webhooks in OpenAPI', () => {
  it('names exactly the events of the catalogue and the guide', () => {
    expect(Object.keys(webhooks)).toEqual(types);
    expect(types).toHaveLength(23);
    const described = Object.entries(webhooks).map(([type, { post }]) => [type, post.description]);
    expect(rowsBelow(guide, 'Events')).toEqual(described);
  });

  it('appears only in the document of the integration surface', () => {
    expect([partner, agent].map((surface) => documentOf(surface).webhooks)).toEqual([undefined, undefined]);
  });

  it('has a unique operation id for each', () => {
    const ids = Object.values(webhooks).map(({ post }) => post.operationId);
    expect(new Set(ids).size).toBe(23);
    expect(ids).toContain('receiveJobSentToSpooler');
  });

  it.each(types)('has a valid example for the body of %s', (type) => {
    const { schema, example } = webhooks[type]!.post.requestBody!.content['application/json']!;
    const judge = new Conformance(document);
    expect(judge.violations(schema!, example)).toEqual([]);
    expect(judge.violations(schema!, { ...(example as object), event_type: 'job.gone' })).not.toEqual([]);
  });

  it.each(types)('names the headers of %s as sent and as in the guide', (type) => {
    const { parameters } = webhooks[type]!.post;
    const named = parameters.map(({ name }) => name.toLowerCase()).sort();
    const ofGuide = rowsBelow(guide, 'The request')
      .slice(0, 11)
      .flatMap(([names = '']) => names.split(', '));
    expect(ofGuide.map((name) => name.toLowerCase()).sort()).toEqual(named);
    const sent: Record<string, string> = signedHeaders({
      eventId: '019aa000-0000-7000-8000-0000000000e5',
      eventType: type,
      deliveryId: '019aa000-0000-5000-8000-0000000000e4',
      timestamp: 1_795_262_400,
      productVersion: '2.0.59',
      secretVersion: 1,
      secrets: ['one', 'two'],
      signingKey: new SigningKey(Buffer.alloc(32, 7)),
      body: Buffer.from('{}'),
    });
    const own = Object.keys(sent).filter((name) => !/^(content-type|user-agent)$/.test(name));
    expect(own.sort()).toEqual(named);
    const judge = new Conformance(document);
    for (const parameter of parameters) {
      const { name, schema, example } = parameter as typeof parameter & { readonly example: string };
      expect([name, judge.violations(schema, sent[name.toLowerCase()])]).toEqual([name, []]);
      expect([name, judge.violations(schema, example)]).toEqual([name, []]);
    }
  });
});

describe('the mapping of stored to public events', () => {
  const rows = rowsBelow(reference, 'Public events');
  const documented = rows.map(([type, stored = '']) => [type, stored.split(', ').sort()] as const);

  it('is documented for each public event', () => {
    const told = types.map((type) => [
      type,
      PUBLISHED_EVENTS.filter((stored) =>
        VARIANTS.some((data) => publicTypeOf({ type: stored, data }) === type),
      ).sort(),
    ]);
    expect(documented).toEqual(told);
  });

  it('is documented for each published stored event', () => {
    expect([...new Set(documented.flatMap(([, stored]) => stored))].sort()).toEqual(
      [...PUBLISHED_EVENTS].sort(),
    );
  });
});
