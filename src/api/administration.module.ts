import { Module } from '@nestjs/common';
import { ComputerAdministration } from './computer-administration.js';
import { Enrollments } from './enrollments.js';
import { KeyAdministration } from './key-administration.js';
import { MemberAdministration } from './member-administration.js';
import { PanelLinks } from './panel-links.js';

const shared = [ComputerAdministration, Enrollments, KeyAdministration, MemberAdministration, PanelLinks];

/** What several of the surfaces do with members, keys and computers. */
@Module({ providers: shared, exports: shared })
export class AdministrationModule {}
