/**
 * Whether a text has more than `max` characters, counted as JSON Schema counts them for `maxLength`: a character of any script is
 * one, also where it takes two units of UTF-16.
 */
export function isLongerThan(text: string, max: number): boolean {
  if (text.length <= max) return false
  if (text.length > 2 * max) return true
  let count = 0
  for (const _ of text) {
    count += 1
    if (count > max) return true
  }
  return false
}

/** What a schema's `refine` takes to refuse longer texts. */
export function atMost(max: number): [check: (text: string) => boolean, problem: string] {
  return [(text) => !isLongerThan(text, max), `is too long (maximum is ${max} characters)`]
}
