import { sentenceCase } from '../../../../format/sentences.ts'

export interface Theme {
  /** The hue of the accent in degrees. */
  hue: number
  /** The saturation in percent of the accent (`saturation`) and of backgrounds (`tint`). */
  saturation: number
  tint: number
  /** The font style of headings. */
  letters: 'serif' | 'sans' | 'round'
}

type Hues = readonly [words: RegExp, hue: number, saturation: number][]

/** Colour names with their hues; the first colour in the brief is used. */
const COLOURS: Hues = [
  [/\b(black|white|grey|gray|mono(chrome)?|minimal(ist)?|austere)\b/i, 220, 8],
  [/\bgreen\b/i, 150, 45],
  [/\bred\b/i, 4, 62],
  [/\borange\b/i, 22, 58],
  [/\b(yellow|gold(en)?)\b/i, 42, 70],
  [/\bpink\b/i, 338, 52],
  [/\b(purple|violet|lavender)\b/i, 275, 42],
  [/\b(teal|turquoise)\b/i, 178, 48],
  [/\bblue\b/i, 212, 60],
]
/** Things with a typical colour, for briefs that name no colour; the first thing in the brief is used. */
const THINGS: Hues = [
  [/\b(garden|plants?|nature|organic|forest|tea|herbs?|eco|leaf)\b/i, 150, 45],
  [/\b(chilli|passion|fire)\b/i, 4, 62],
  [/\b(warm|bak(ery|e|ing)|bread|coffee|autumn|ceramics?|pottery|clay|leather|wood(en)?)\b/i, 22, 58],
  [/\b(sun(ny)?|honey|lemon)\b/i, 42, 70],
  [/\b(rose|roses|wedding|beauty|florist|flowers?)\b/i, 338, 52],
  [/\b(music|poetry)\b/i, 275, 42],
  [/\b(spa|wellness|yoga|health)\b/i, 178, 48],
  [/\b(sea|ocean|water|sailing|travel|sky)\b/i, 212, 60],
  [/\b(software|code|developers?|tech(nology)?|data|startup|app|saas)\b/i, 246, 62],
  [/\b(paper|books?|ink|letters?|stationery|print(s|ing)?|archive|library)\b/i, 30, 34],
]

const LETTERS: readonly [words: RegExp, letters: Theme['letters']][] = [
  [/\b(playful|kids?|children|toys?|fun|cheerful|friendly)\b/i, 'round'],
  [/\b(modern|bold|tech(nology)?|software|code|developers?|data|startup|app|saas|sport|minimal(ist)?)\b/i, 'sans'],
]

/** Derives a theme from the words of the brief. The seed decides the hue if the words suggest none. */
export function themeOf(words: string, seed: string): Theme {
  const [, hue, saturation] = firstIn(words, COLOURS) ?? firstIn(words, THINGS) ?? [null, hueOf(seed), 46]
  const letters = LETTERS.find(([pattern]) => pattern.test(words))?.[1] ?? 'serif'
  return { hue, saturation, tint: Math.round(saturation / 2), letters }
}

function firstIn(words: string, hues: Hues): Hues[number] | undefined {
  const known = hues.map((one) => ({ one, at: words.search(one[0]) })).filter(({ at }) => at >= 0)
  return known.sort((a, b) => a.at - b.at)[0]?.one
}

function hueOf(seed: string): number {
  let sum = 0
  for (const letter of seed) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 360
  return sum
}

export function themeSheet({ hue, saturation, tint, letters }: Theme): string {
  return `:root {
  --hue: ${hue};
  --colour: ${saturation}%;
  --tint: ${tint}%;
  --headings: ${FONTS[letters]};
}
`
}

const FONTS = {
  serif: '"Iowan Old Style", "Palatino Linotype", Palatino, "Book Antiqua", Georgia, serif',
  sans: 'ui-sans-serif, system-ui, "Segoe UI", Roboto, "Helvetica Neue", sans-serif',
  round: 'ui-rounded, "SF Pro Rounded", "Hiragino Maru Gothic ProN", Quicksand, Nunito, system-ui, sans-serif',
}

export function iconOf(name: string, { hue, saturation }: Theme): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="hsl(${hue} ${saturation}% 32%)"/><text x="16" y="22" font-family="Georgia, serif" font-size="18" text-anchor="middle" fill="#fff">${letterOf(name)}</text></svg>
`
}

/** Returns the first letter or digit of a name. Letters and digits need no escaping in HTML and SVG. */
export function letterOf(name: string): string {
  return sentenceCase(/[\p{L}\p{N}]/u.exec(name)?.[0] ?? '•')
}
