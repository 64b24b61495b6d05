export type Color = `#${string}`

const COLOR = /^#[0-9a-f]{6}$/

export function isColor(given: string): given is Color {
  return COLOR.test(given)
}

/** The minimum contrast of text and background (WCAG 2.2, 1.4.3). */
export const READABLE = 4.5

const INK: Color = '#16181d'
const BLACK: Color = '#000000'
const WHITE: Color = '#ffffff'

/** Returns the contrast ratio of two colours, from 1 to 21 (WCAG 2.2). */
export function contrast(one: Color, other: Color): number {
  const [first, second] = [luminance(one), luminance(other)]
  return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05)
}

/** Returns a readable text colour: white, ink or black. White or black is always readable, because no colour is close to both. */
export function textOn(color: Color): Color {
  return [WHITE, INK].find((text) => contrast(text, color) >= READABLE) ?? BLACK
}

/** Returns the colour if it is readable on all backgrounds, otherwise its nearest readable shade. */
export function readableOn(color: Color, backgrounds: readonly Color[]): Color {
  const isDark = backgrounds.every((background) => luminance(background) < 0.2)
  for (let step = 0; step <= STEPS; step++) {
    const shade = mixed(color, isDark ? WHITE : BLACK, step / STEPS)
    if (backgrounds.every((background) => contrast(shade, background) >= READABLE)) return shade
  }
  return isDark ? WHITE : BLACK
}

const STEPS = 40

export function mixed(color: Color, other: Color, share: number): Color {
  const [from, to] = [parts(color), parts(other)]
  const between = (one: number, two: number) =>
    Math.round(one + (two - one) * share)
      .toString(16)
      .padStart(2, '0')
  return `#${between(from.red, to.red)}${between(from.green, to.green)}${between(from.blue, to.blue)}`
}

function parts(color: Color): Record<'red' | 'green' | 'blue', number> {
  const part = (start: number) => Number.parseInt(color.slice(start, start + 2), 16)
  return { red: part(1), green: part(3), blue: part(5) }
}

function luminance(color: Color): number {
  const { red, green, blue } = parts(color)
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

function linear(part: number): number {
  const share = part / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}
