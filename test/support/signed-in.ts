import type { RunningApp } from './app.ts'

/** The cookies of somebody who has just signed in, as a browser sends them. */
export async function signedIn(_running: RunningApp, userId: string): Promise<string> {
  return `test_person=${userId}`
}
