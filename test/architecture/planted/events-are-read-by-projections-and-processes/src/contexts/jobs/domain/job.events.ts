export interface JobEvent {
  type: string;
}
