import { Module } from '@nestjs/common';
import { MemberAdministration } from './member-administration.js';
import { PanelLinks } from './panel-links.js';

/** For the surfaces that manage members: the panel and the operator surface. */
@Module({ providers: [MemberAdministration, PanelLinks], exports: [MemberAdministration, PanelLinks] })
export class MemberAdministrationModule {}
