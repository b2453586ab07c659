import { Controller, Param } from '@nestjs/common';
import { BareAnswer } from '../../../http/answer.js';
import { orNotFound } from '../../../http/errors/api-error.js';
import { bytes, operationsOf } from '../../../http/operation.js';
import { EvidenceAnswers } from '../../evidence-answers.js';
import { integration } from '../integration.surface.js';

const MISSING = 'SVC_ROUTE_NOT_FOUND';
const LEVEL = { notFound: MISSING, pattern: /^[0-5]$/ } as const;
/** C2SP tlog-tiles: groups of three digits, all but the last one marked, and the width of a partial tile. */
const TILE = { notFound: MISSING, pattern: /^(?:x\d{3}\/){0,4}\d{3}(?:\.p\/[1-9]\d{0,2})?$/ } as const;

/** Open to everybody with EVIDENCE_PUBLIC. */
export const LOG_OPERATIONS = ['getLogCheckpoint', 'getLogKey', 'getLogTile'] as const;

const Operation = operationsOf(integration, {
  tag: 'Evidence',
  scopes: ['evidence:read'],
  limit: { perMinute: 600 },
  errors: ['NOT_PUBLISHED_YET'],
});

/** The log for auditors and monitors of C2SP tlog-tiles. Entries are not published. */
@Controller()
export class LogController {
  constructor(private readonly evidence: EvidenceAnswers) {}

  @Operation({
    id: 'getLogCheckpoint',
    route: 'GET /v1/evidence/log/checkpoint',
    summary: 'Get the newest checkpoint of the log',
    description: 'The signed size and root of the log of all accounts: keep it, with the time.',
    success: bytes('The signed checkpoint (C2SP tlog-checkpoint).', { media: 'text/plain' }),
  })
  checkpoint() {
    return this.evidence.checkpoint();
  }

  @Operation({
    id: 'getLogKey',
    route: 'GET /v1/evidence/log/vkey',
    summary: 'Get the key of the log',
    description: 'Take it once, when you begin, and keep it.',
    success: bytes('The key (C2SP signed-note).', { media: 'text/plain' }),
  })
  key() {
    return this.evidence.vkey();
  }

  @Operation({
    id: 'getLogTile',
    route: 'GET /v1/evidence/log/tile/:level/*',
    summary: 'Get a tile of the log',
    description: 'Hashes of the tree (C2SP tlog-tiles), as far as the newest checkpoint covers them.',
    params: { level: LEVEL, '*': TILE },
    success: bytes('Up to 256 hashes.'),
  })
  async tile(@Param('level') level: string, @Param('*') path: string) {
    const hashes = await this.evidence.tile(Number(level), path);
    return new BareAnswer(200, orNotFound(hashes, MISSING), { 'content-type': 'application/octet-stream' });
  }
}
