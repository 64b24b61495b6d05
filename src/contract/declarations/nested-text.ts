import { atMost } from '../values/text-length.ts'
import { filled } from './shared-schema.ts'

export function nestedText(max: number) {
  return filled()
    .refine(...atMost(max))
    .meta({ maxLength: max })
}

/** Returns a schema for required text that matches a pattern; `says` is the error message. */
export function nestedPattern(pattern: RegExp, says: string) {
  return filled().regex(pattern, says)
}
