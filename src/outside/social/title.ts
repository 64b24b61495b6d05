import { lazily } from '../../lazily.ts'

const segmenter = lazily(() => new Intl.Segmenter('en', { granularity: 'grapheme' }))

/** The first line of a text that has words, cut to so many characters (UTF-16 code units), never within one that people see. */
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
