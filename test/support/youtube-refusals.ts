import type { Answer } from './network-server.ts'

/** Returns an error response of Google (developers.google.com/youtube/v3/docs/errors). */
export function refusal(code: number, reason: string, message: string): Answer {
  return [code, { error: { code, message, errors: [{ message, domain: 'youtube', reason }] } }]
}
