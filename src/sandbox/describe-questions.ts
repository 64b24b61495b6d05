import type { DescribeQuestion } from './door.ts'

/** Things that one `describe` may ask for; the guest's message says so before (ruby-prelude/describe.rb). */
const MAX_QUESTIONS = 10
/** Characters of one of them. */
const MAX_QUESTION_LENGTH = 200
/** Positions that a search of the guest gives for one. */
const MAX_FOUND = 10
/** Each of the characters may take four bytes, or six as an escape. */
export const MAX_QUESTIONS_BYTES = 32 * 1024

/** Reads what the guest asks to have described. Throws an Error when it is no such text: a program can redefine how Ruby writes JSON. */
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
