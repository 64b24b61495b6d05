import { storable } from './kinds.ts'

/** Texts inside lists and objects, where a field of its own would be too much. */

/** A text that must be there, of 1 to `max` characters. */
export function nestedText(max: number) {
  return storable().trim().min(1, "can't be blank").max(max, `is too long (maximum is ${max} characters)`)
}

/** A text of a form; `says` what it must be. */
export function nestedPattern(pattern: RegExp, says: string) {
  return storable().trim().min(1, "can't be blank").regex(pattern, says)
}
