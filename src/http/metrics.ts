import { createHash, timingSafeEqual } from 'node:crypto'
import { ApiError } from '../contract/declarations/errors.ts'
import { bearerToken } from '../contract/values/token-format.ts'
import type { Handler } from './read-only.ts'

export interface MetricsParts {
  token: string
  render(): Promise<{ type: string; text: string }>
}

/** Serves the metrics of this process. Requests without the token get a 401. */
export function metricsHandler({ token, render }: MetricsParts, refusal: (error: ApiError) => Response): Handler {
  const expected = digest(token)
  return async (context) => {
    const given = bearerToken(context.req.header('authorization')) ?? ''
    if (!timingSafeEqual(digest(given), expected)) return refusal(unauthenticated())
    const { type, text } = await render()
    return new Response(text, { headers: { 'Content-Type': type, 'Cache-Control': 'no-store' } })
  }
}

/** Digests have the same length, so tokens of different lengths can be compared in constant time. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function unauthenticated(): ApiError {
  const message = 'Send the header Authorization: Bearer <METRICS_TOKEN>.'
  return new ApiError('authentication_required', message, { headers: { 'WWW-Authenticate': 'Bearer' } })
}
