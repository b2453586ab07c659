import { Module } from '@nestjs/common';
import { PublishedLog } from '../evidence/published-log.js';
import { Cursors } from '../http/cursors.js';
import { AccessNotes, FailedSignIns } from './access-notes.js';
import { ChangeAnswers } from './change-answers.js';
import { ChangeCursors } from './change-cursors.js';
import { ChangeStreams } from './change-streams.js';
import { Changes } from './changes.js';
import { ComputerAdministration } from './computer-administration.js';
import { DeliverySearch } from './delivery-search.js';
import { Documents } from './documents.js';
import { EvidenceAnswers } from './evidence-answers.js';
import { JobBatches } from './job-batches.js';
import { KeyAdministration } from './key-administration.js';
import { LastUses } from './last-uses.js';
import { CursorLists } from './lists.js';
import { MemberAdministration, PanelLinks } from './member-administration.js';
import { JobPolling } from './polling.js';
import { Validators } from './validators.js';

const shared = [
  AccessNotes,
  ChangeAnswers,
  ChangeCursors,
  ComputerAdministration,
  CursorLists,
  Cursors,
  DeliverySearch,
  Documents,
  EvidenceAnswers,
  FailedSignIns,
  JobBatches,
  JobPolling,
  KeyAdministration,
  LastUses,
  MemberAdministration,
  PanelLinks,
  Validators,
];

/** What several of the surfaces do. */
@Module({ providers: [...shared, Changes, ChangeStreams, PublishedLog], exports: shared })
export class SharedModule {}
