import { Module } from '@nestjs/common';
import { Cursors } from '../http/cursors.js';
import { AccessNotes } from './access-notes.js';
import { ComputerAdministration } from './computer-administration.js';
import { DeliverySearch } from './delivery-search.js';
import { CursorLists } from './lists.js';
import { Enrollments } from './enrollments.js';
import { JobBatches } from './job-batches.js';
import { KeyAdministration } from './key-administration.js';
import { MemberAdministration } from './member-administration.js';
import { PanelLinks } from './panel-links.js';
import { Validators } from './validators.js';

const shared = [
  AccessNotes,
  ComputerAdministration,
  CursorLists,
  DeliverySearch,
  Enrollments,
  JobBatches,
  KeyAdministration,
  MemberAdministration,
  PanelLinks,
  Validators,
];

/** What several of the surfaces do with members, keys, computers and lists. */
@Module({ providers: [...shared, Cursors], exports: [...shared, Cursors] })
export class AdministrationModule {}
