/** Whether a text has more than `max` characters. Counts code points, as JSON Schema does for `maxLength`, not UTF-16 units. */
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

export function atMost(max: number): [check: (text: string) => boolean, problem: string] {
  return [(text) => !isLongerThan(text, max), `is too long (maximum is ${max} characters)`]
}
