import type { ErrorCatalogue, RejectionTable } from '../../http/errors/api-error.js';
import { ApiError } from '../../http/errors/api-error.js';
import { conflict, notFound, ofAccount, plainErrors } from '../../http/errors/shared.errors.js';
import {
  PASSWORD_MAX_LENGTH,
  PASSWORD_MIN_LENGTH,
  type ChoosePassword,
  type OpenDocument,
  type PasswordProblem,
  type SignInByLink,
  type SignInByPassword,
} from '../../contexts/members/index.js';
import type { UpdatePrinter } from '../../contexts/devices/index.js';
import type { RejectionOf } from '../../kernel/command.js';
import { administrationErrors } from '../administration.errors.js';

/** Every code the panel surface can answer. */
export const panelErrors = {
  ...plainErrors,
  ...administrationErrors,
  PASSWORD_REFUSED: {
    status: 400,
    retryable: false,
    cause: 'The new password breaks a rule.',
    remedy: 'The message says which; choose another password.',
  },
  SIGN_IN_REFUSED: {
    status: 401,
    retryable: false,
    cause: 'The sign-in name, the password or the link is wrong, or may not be used.',
    remedy: 'Check both, or ask an owner of the account for a new link.',
  },
  SVC_ACCOUNT_SUSPENDED: ofAccount.suspended,
  SVC_PUBLIC_API_DISABLED: ofAccount.apiDisabled,
  ACCOUNT_NOT_FOUND: notFound('account'),
  PRINTER_NOT_FOUND: notFound('printer'),
  JOB_NOT_FOUND: notFound('job'),
  CONTENT_NOT_FOUND: {
    status: 404,
    retryable: false,
    cause: 'The document is no longer kept, or is damaged in the store.',
    remedy: 'Send the document again.',
  },
  DELIVERY_NOT_FOUND: notFound('delivery'),
  SESSION_NOT_FOUND: notFound('session'),
  ACCOUNT_CLOSED: conflict('The account is closed; that is final.'),
} as const satisfies ErrorCatalogue;

declare module '../../http/errors/api-error.js' {
  interface SurfaceCodes {
    panel: keyof typeof panelErrors;
  }
}

/** Only who holds the secret of a link learns why it does not sign in. */
export const signInRejections: RejectionTable<RejectionOf<SignInByLink | SignInByPassword>> = {
  SignInRefused: 'SIGN_IN_REFUSED',
  LinkUnknown: 'SIGN_IN_REFUSED',
  LinkUsed: () => new ApiError('SIGN_IN_REFUSED', 'This link was used. Ask for a new one.'),
  LinkExpired: () => new ApiError('SIGN_IN_REFUSED', 'This link has expired. Ask for a new one.'),
};

const PROBLEMS: Readonly<Record<PasswordProblem, string>> = {
  length: `The password must have ${PASSWORD_MIN_LENGTH} to ${PASSWORD_MAX_LENGTH} characters.`,
  repetition: 'The password must have at least five different characters.',
  name: 'The password must not contain your name or that of the account.',
  common: 'Many people use this password. Choose another one.',
};

export const passwordRejections: RejectionTable<RejectionOf<ChoosePassword>> = {
  SessionNotFound: () => new ApiError('credentialInvalid'),
  MemberNotFound: () => new ApiError('credentialInvalid'),
  CurrentPasswordWrong: () => new ApiError('SIGN_IN_REFUSED', 'The current password is wrong.'),
  PasswordRefused: ({ problem }) => new ApiError('PASSWORD_REFUSED', PROBLEMS[problem]),
};

export const printerRejections: RejectionTable<RejectionOf<UpdatePrinter>> = {
  ComputerNotFound: 'COMPUTER_NOT_FOUND',
  PrinterNotFound: 'PRINTER_NOT_FOUND',
};

export const documentRejections: RejectionTable<RejectionOf<OpenDocument>> = {
  SessionNotFound: () => new ApiError('credentialInvalid'),
};
