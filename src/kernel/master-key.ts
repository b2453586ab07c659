/** The root secret of the service. It is never exposed; callers get derived keys. */
export abstract class MasterKey {
  /** 32 bytes, always the same for a purpose; keys of different purposes are independent. */
  abstract derive(purpose: string): Uint8Array;
}
