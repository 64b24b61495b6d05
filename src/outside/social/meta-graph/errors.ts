import { z } from 'zod'
import { PlatformBusyError, PlatformRefusedError } from '../provider.ts'
import { busyUntil } from '../rate-limit.ts'

const MOST_WORDS = 300
const MINUTE_MS = 60_000
/** The limits of apps and users count the calls of the last hour, and no answer says when it is over. */
const DEFAULT_WAIT_MS = 10 * MINUTE_MS
/** Longer waits are looked at again. */
const LONGEST_WAIT_MS = 24 * 60 * MINUTE_MS
/** Posts of the last 24 hours are counted, and no answer says when the oldest leaves the count. */
export const QUOTA_WAIT_MS = 60 * MINUTE_MS

/** What every Graph API answers where it does not do what it is asked (Graph API, Handle errors). */
const Refusal = z.object({
  error: z.object({
    message: z.string().optional(),
    code: z.number().optional(),
    error_subcode: z.number().optional(),
    error_user_msg: z.string().optional(),
    is_transient: z.boolean().optional(),
  }),
})
type Said = z.output<typeof Refusal>['error']

/** The token has expired, was revoked, or its session is over. */
const EXPIRED = [102, 190, 463, 467]
/** Calls of the app, the user, the page or the business (Graph API, Rate limits); 80000 and more are those of a business use case. */
const LIMITED = [4, 17, 32, 341, 613]
const USE_CASES = { first: 80_000, last: 80_014 }
/** The network's own faults, and media that it is not done with: the same request may do better later. */
const PASSING = [1, 2, 9007]
/** Too many posts in 24 hours. */
const QUOTA = { code: 9, subcode: 2_207_042 }
/** An object that does not exist, or is not visible to the account. */
const GONE = { code: 100, subcode: 33 }

/** There is no such object any more, or the account may not see it. */
export class GoneError extends PlatformRefusedError {
  override name = 'GoneError'
}

/** The error of an answer that is none, in the network's own words. */
export function errorOf(status: number, headers: Headers, text: string, now = Date.now()): Error {
  const said = saidIn(text)
  const { code = 0, error_subcode: subcode = 0 } = said
  const words = (said.error_user_msg || said.message || NO_REASON).slice(0, MOST_WORDS)
  if (EXPIRED.includes(code)) return new PlatformRefusedError(words, { expired: true })
  if (code === QUOTA.code && subcode === QUOTA.subcode) return new PlatformBusyError(words, now + QUOTA_WAIT_MS)
  if (LIMITED.includes(code) || (code >= USE_CASES.first && code <= USE_CASES.last))
    return new PlatformBusyError(words, now + waitOf(headers))
  const until = busyUntil(status, headers, { now })
  if (until !== null) return new PlatformBusyError(words, until)
  if (status >= 500 || status === 408 || said.is_transient === true || PASSING.includes(code))
    return new Error(`The network answered with status ${status}: ${words}`)
  if (code === GONE.code && subcode === GONE.subcode) return new GoneError(words)
  return new PlatformRefusedError(words, { expired: status === 401 && code === 0 })
}

const NO_REASON = 'the network refused it without a reason'

function saidIn(text: string): Said {
  try {
    return Refusal.parse(JSON.parse(text)).error
  } catch {
    return {}
  }
}

/** Numbers are per cent of a limit, but for the minutes until a business may call again. */
const Usage = z.object({
  call_count: z.number().default(0),
  total_time: z.number().default(0),
  total_cputime: z.number().default(0),
  estimated_time_to_regain_access: z.number().default(0),
})
const UseCases = z.record(z.string(), z.array(Usage))

function waitOf(headers: Headers): number {
  const minutes = usagesIn(headers).map((one) => one.estimated_time_to_regain_access)
  const longest = Math.max(0, ...minutes) * MINUTE_MS
  return longest > 0 ? Math.min(longest, LONGEST_WAIT_MS) : DEFAULT_WAIT_MS
}

/** How much of the limits is used, in per cent of the one that is used most. */
export function usageIn(headers: Headers): number {
  return Math.max(0, ...usagesIn(headers).flatMap((one) => [one.call_count, one.total_time, one.total_cputime]))
}

function usagesIn(headers: Headers): z.output<typeof Usage>[] {
  const app = parsed(Usage, headers.get('x-app-usage'))
  const useCases = parsed(UseCases, headers.get('x-business-use-case-usage'))
  return [...(app ? [app] : []), ...Object.values(useCases ?? {}).flat()]
}

function parsed<Shape extends z.ZodType>(shape: Shape, text: string | null): z.output<Shape> | null {
  if (text === null) return null
  try {
    return shape.parse(JSON.parse(text))
  } catch {
    return null
  }
}
