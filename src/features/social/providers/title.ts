import { lazy } from '../../../lazy.ts'

const segmenter = lazy(() => new Intl.Segmenter('en', { granularity: 'grapheme' }))

/** Returns the first non-empty line of a text, cut to `most` UTF-16 code units without splitting a visible character. */
export function titleOf(text: string, most: number): string {
  const line = text
    .split('\n')
    .map((one) => one.trim())
    .find((one) => one !== '')
  if (line === undefined || line.length <= most) return line ?? ''
  let title = ''
  for (const { segment } of segmenter().segment(line)) {
    if (title.length + segment.length + 1 > most) break
    title += segment
  }
  return `${title.trimEnd()}…`
}
