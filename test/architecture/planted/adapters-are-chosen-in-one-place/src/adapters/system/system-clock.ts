export class SystemClock {}
