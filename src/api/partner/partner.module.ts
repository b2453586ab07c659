import { Module } from '@nestjs/common';
import { EnrollController } from './enroll.controller.js';
import { PartnerAuthenticator } from './partner.authenticator.js';

@Module({
  controllers: [EnrollController],
  providers: [PartnerAuthenticator],
  exports: [PartnerAuthenticator],
})
export class PartnerModule {}
