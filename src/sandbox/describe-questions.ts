import type { DescribeQuestion } from './api.ts'

/** The maximum number of questions in one `describe`. The guest checks the same limit first (ruby-prelude/describe.rb). */
const MAX_QUESTIONS = 10
/** In characters. */
const MAX_QUESTION_LENGTH = 200
const MAX_FOUND = 12
/** The maximum size of the questions as JSON, in which a character takes up to four bytes, or six as an escape. */
export const MAX_QUESTIONS_BYTES = 32 * 1024

/** Parses the questions of a `describe`. Throws an Error if they are invalid, because a program can redefine how Ruby writes JSON. */
export function readQuestions(text: string): DescribeQuestion[] {
  const given: unknown = JSON.parse(text)
  if (!Array.isArray(given) || given.length > MAX_QUESTIONS || !given.every(isQuestion))
    throw new Error('the program changed how questions are written')
  return given.map(({ what, found, bests }) => ({ what, found, bests }))
}

function isQuestion(value: unknown): value is DescribeQuestion {
  if (typeof value !== 'object' || value === null) return false
  if (!('what' in value && 'found' in value && 'bests' in value)) return false
  const { what, found, bests } = value
  return (
    typeof what === 'string' &&
    what.length <= MAX_QUESTION_LENGTH * 2 &&
    isPositions(found) &&
    Number.isSafeInteger(bests)
  )
}

function isPositions(found: unknown): boolean {
  return (
    Array.isArray(found) && found.length <= MAX_FOUND && found.every((one) => Number.isSafeInteger(one) && one >= 0)
  )
}
