import { APICallError, RetryError } from 'ai'

const MOST_WORDS = 300

export type ModelOwner = 'service' | 'account'

/** Returns a sentence about an error. Omits the provider's message about a refused key, which could repeat a part of the key. */
export function failureInWords(error: unknown, owner: ModelOwner): string {
  const cause = RetryError.isInstance(error) ? error.lastError : error
  if (!APICallError.isInstance(cause)) return `The model could not be asked: ${wordsOf(cause)}`
  const { statusCode } = cause
  if (statusCode === 401 || statusCode === 403) return `The model provider refused the API key of this ${owner}.`
  if (statusCode === 404) return 'The model provider does not know this model or address.'
  if (statusCode === 429) return 'The model provider takes no more requests for now.'
  if (statusCode === undefined) return `The model provider could not be reached: ${wordsOf(cause)}`
  return `The model provider answered with status ${statusCode}: ${wordsOf(cause)}`
}

function wordsOf(error: unknown): string {
  const words = (error instanceof Error ? error.message : String(error))
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MOST_WORDS)
  return /[.!?]$/.test(words) ? words : `${words}.`
}
