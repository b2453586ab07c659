export class AggregateStore {}
