import { PlatformRefusedError } from '../provider.ts'

const MOST_WORDS = 300
const MOST_CAUSES = 10

/**
 * Runs requests of the library for OAuth. What a server refuses for good is a PlatformRefusedError in its words, and so is an
 * address that is none to go to. All else may do better later.
 */
export async function explained<Result>(work: () => Promise<Result>): Promise<Result> {
  const { OAuthResponseError, TokenRefreshError } = await import('@atproto/oauth-client-node')
  try {
    return await work()
  } catch (error) {
    const causes = causesOf(error)
    const known = causes.find((cause) => cause instanceof PlatformRefusedError)
    if (known) throw known
    const answer = causes.find((cause) => cause instanceof OAuthResponseError)
    if (answer && answer.status < 500 && answer.status !== 429)
      throw refusal(answer.errorDescription ?? answer.error ?? UNSAID)
    const ended = causes.find((cause) => cause instanceof TokenRefreshError)
    throw ended ? refusal(ended.message) : error
  }
}

/** As `explained`, for a person who waits: a server that cannot be found is a refusal too. */
export async function explainedNow<Result>(work: () => Promise<Result>): Promise<Result> {
  const { OAuthResolverError } = await import('@atproto/oauth-client-node')
  try {
    return await explained(work)
  } catch (error) {
    const isUnknown = causesOf(error).some((cause) => cause instanceof OAuthResolverError)
    throw isUnknown ? new PlatformRefusedError(NOT_FOUND) : error
  }
}

function refusal(words: string): PlatformRefusedError {
  return new PlatformRefusedError(words.slice(0, MOST_WORDS), { expired: true })
}

const NOT_FOUND = 'No server that lets people allow access was found for this handle. Check how it is written.'
const UNSAID = 'The server refused without a reason.'

function causesOf(error: unknown): Error[] {
  const causes: Error[] = []
  for (let one = error; one instanceof Error && causes.length < MOST_CAUSES; one = one.cause) causes.push(one)
  return causes
}
