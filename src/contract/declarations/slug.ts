import { text } from './kinds.ts'

export const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/
export const MAX_SLUG = 100

/** Declares a slug for URLs. A noun can accept it in place of the id. */
export function slugField(description: string) {
  const says = 'must be lower-case letters and digits in groups joined by single hyphens, such as ruby-handbook'
  return text(description, { max: MAX_SLUG, pattern: SLUG, says, example: 'ruby-handbook' })
}
