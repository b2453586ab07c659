export class ManualClock {}
