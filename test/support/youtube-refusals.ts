import type { Answer } from './network-server.ts'

/** A refusal as Google writes it (developers.google.com/youtube/v3/docs/errors). */
export function refusal(code: number, reason: string, message: string): Answer {
  return [code, { error: { code, message, errors: [{ message, domain: 'youtube', reason }] } }]
}
