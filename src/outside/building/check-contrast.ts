import { formatDecimal } from '../../words/numbers.ts'
import { withoutComments } from './pages.ts'

/** Least contrast between text and what is behind it (WCAG 2.2, success criterion 1.4.3). */
const LEAST = 4.5

/** Rules of a stylesheet that set text on a background of too little contrast, where both are plain colours. */
export function contrastProblems(path: string, given: string): string[] {
  const style = withoutComments(given)
  const variables = variablesOf(style)
  return [...style.matchAll(/([^{}]{1,500})\{([^{}]{0,5000})\}/g)].flatMap(([, selector = '', body = '']) => {
    const [ink, paper] = [colourIn(body, /(?:^|;)\s*color\s*:\s*([^;]+)/i), colourIn(body, PAPER)]
    const [front, back] = [rgbOf(ink, variables), rgbOf(paper, variables)]
    if (!front || !back) return []
    const ratio = contrast(front, back)
    if (ratio >= LEAST) return []
    return [
      `${path}: the text of ${selector.trim().replace(/\s+/g, ' ').slice(0, 80)} has a contrast of ${formatDecimal(ratio, 1)}:1 to its background; it needs ${LEAST}:1.`,
    ]
  })
}

const PAPER = /(?:^|;)\s*background(?:-color)?\s*:\s*([^;]+)/i

function colourIn(body: string, pattern: RegExp): string | null {
  return pattern.exec(body)?.[1]?.trim() ?? null
}

/** Null for those with more than one value in the sheet: they depend on where they are used. */
type Variables = ReadonlyMap<string, string | null>

function variablesOf(style: string): Variables {
  const found = new Map<string, string | null>()
  for (const [, name = '', value = ''] of style.matchAll(/(--[\w-]+)\s*:\s*([^;}]+)/g)) {
    const known = found.get(name)
    found.set(name, known === undefined || known === value.trim() ? value.trim() : null)
  }
  return found
}

type Rgb = readonly [number, number, number]

const NAMED: Record<string, Rgb> = { white: [255, 255, 255], black: [0, 0, 0] }

/** Null for what is no plain, opaque colour. */
function rgbOf(given: string | null, variables: Variables, depth = 0): Rgb | null {
  if (given === null || depth > 5) return null
  const [, name] = /^var\(\s*(--[\w-]+)\s*\)$/.exec(given) ?? []
  if (name !== undefined) return rgbOf(variables.get(name) ?? null, variables, depth + 1)
  const [, hex] = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(given) ?? []
  if (hex !== undefined) return fromHex(hex)
  const [, red, green, blue] = /^rgb\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})\s*\)$/i.exec(given) ?? []
  if (red !== undefined) return [Number(red), Number(green), Number(blue)]
  return NAMED[given.toLowerCase()] ?? null
}

function fromHex(hex: string): Rgb {
  const long = hex.length === 3 ? [...hex].map((digit) => digit + digit).join('') : hex
  const part = (at: number) => Number.parseInt(long.slice(at, at + 2), 16)
  return [part(0), part(2), part(4)]
}

function contrast(one: Rgb, other: Rgb): number {
  const [first, second] = [luminance(one), luminance(other)]
  return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05)
}

function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

function linear(part: number): number {
  const share = part / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}
