/** The root secret of the service. Nobody sees it; everybody gets keys for a purpose. */
export abstract class MasterKey {
  /** 32 bytes, the same for the same purpose for ever; keys of two purposes tell nothing about each other. */
  abstract derive(purpose: string): Uint8Array;
}
