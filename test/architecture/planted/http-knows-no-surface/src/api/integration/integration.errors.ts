export const integrationErrors = { SVC_JOB_NOT_FOUND: 404 };
