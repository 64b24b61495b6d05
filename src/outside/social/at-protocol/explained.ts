import { PlatformRefusedError } from '../provider.ts'

const MOST_WORDS = 300
const MOST_CAUSES = 10

/** Runs requests of the library for OAuth, and turns what it refuses for good into words for the person who waits. */
export async function explained<Result>(work: () => Promise<Result>): Promise<Result> {
  const { OAuthResolverError, OAuthResponseError } = await import('@atproto/oauth-client-node')
  try {
    return await work()
  } catch (error) {
    const causes = causesOf(error)
    const known = causes.find((cause) => cause instanceof PlatformRefusedError)
    if (known) throw known
    const answer = causes.find((cause) => cause instanceof OAuthResponseError)
    if (answer && answer.status < 500)
      throw new PlatformRefusedError((answer.errorDescription ?? answer.error ?? UNSAID).slice(0, MOST_WORDS))
    if (causes.some((cause) => cause instanceof OAuthResolverError)) throw new PlatformRefusedError(NOT_FOUND)
    throw error
  }
}

const NOT_FOUND = 'No server that lets people allow access was found for this handle. Check how it is written.'
const UNSAID = 'The server refused without a reason.'

function causesOf(error: unknown): Error[] {
  const causes: Error[] = []
  for (let one = error; one instanceof Error && causes.length < MOST_CAUSES; one = one.cause) causes.push(one)
  return causes
}
