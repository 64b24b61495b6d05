import { sentenceCase } from '../../../words/sentences.ts'
import type { Theme } from './theme.ts'

/** The first letter of a name, on the colour of the page. */
export function iconOf(name: string, { hue, saturation }: Theme): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="hsl(${hue} ${saturation}% 32%)"/><text x="16" y="22" font-family="Georgia, serif" font-size="18" text-anchor="middle" fill="#fff">${letterOf(name)}</text></svg>
`
}

/** A letter or a digit, so that it is safe in every document. */
export function letterOf(name: string): string {
  return sentenceCase(/[\p{L}\p{N}]/u.exec(name)?.[0] ?? '•')
}
