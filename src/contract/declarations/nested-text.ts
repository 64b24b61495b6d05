import { atMost } from '../values/characters.ts'
import { filled } from './shared-schema.ts'

/** Texts inside lists and objects, where a field of its own would be too much. */

/** A text that must be there, of 1 to `max` characters. */
export function nestedText(max: number) {
  return filled()
    .refine(...atMost(max))
    .meta({ maxLength: max })
}

/** A text of a form; `says` what it must be. */
export function nestedPattern(pattern: RegExp, says: string) {
  return filled().regex(pattern, says)
}
