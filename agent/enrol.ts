import type { Logger } from 'pino';
import { AgentStop, ExitCode } from './exit-codes.js';
import type { StateFolder, StoredCredential } from './state/state-folder.js';
import { HttpCaller, Refused, type ServiceAddress } from './service/http-caller.js';
import type { AgentFacts, Enrolled } from './service/protocol.js';

interface EnrolmentRequest extends ServiceAddress {
  token: string;
  displayName?: string;
  facts: AgentFacts;
}

/** Redeems an enrollment token, which works once, and stores the credential. */
export async function enrol(
  { token, displayName, facts, ...service }: EnrolmentRequest,
  state: StateFolder,
  log: Logger,
  signal: AbortSignal,
): Promise<StoredCredential> {
  const http = new HttpCaller(service, undefined, log);
  try {
    const body = { enrollment_token: token, ...(displayName && { display_name: displayName }), ...facts };
    const answer = await http.data<Enrolled>({ method: 'POST', path: '/managed/enroll', body, signal });
    if (!answer) throw new AgentStop(ExitCode.refused, 'enrolment was answered without a credential');
    const credential: StoredCredential = {
      computer_id: answer.device_id,
      friendly_code: answer.friendly_code,
      device_credential: answer.device_credential,
      credential_expires_at: answer.credential_expires_at,
    };
    await state.storeCredential(credential);
    log.info({ computerId: credential.computer_id, friendlyCode: credential.friendly_code }, 'enrolled');
    return credential;
  } catch (error) {
    if (error instanceof Refused)
      throw new AgentStop(ExitCode.refused, `enrolment refused: ${error.message}`);
    throw error;
  } finally {
    await http.close();
  }
}
