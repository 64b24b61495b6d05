import { createHash } from 'node:crypto'
import { html } from 'hono/html'
import { FONTS } from '../../contract/declarations/branding.ts'
import { type Color, isColor } from '../../contract/values/colors.ts'
import { type Brand, FONT_STACKS, shadesOf } from '../../resources/company/account/brand.ts'
import { ALWAYS } from './asset.ts'

const BRAND_PATH = '/brand/'

type BrandStyle = Pick<Brand, 'color' | 'font'>

/** Returns the CSS of a brand, which overrides rules of the common stylesheets. */
function sheetOf({ color, font }: BrandStyle): string {
  const rules = [
    ...(font === 'system' ? [] : [`--font-text: ${FONT_STACKS[font]};`]),
    ...(color === null ? [] : colorRules(color)),
  ]
  const marks = color === null ? '' : '\n.mark {\n  background: var(--button);\n  color: var(--on-button);\n}\n'
  return `:root {\n${rules.map((rule) => `  ${rule}`).join('\n')}\n}\n${marks}`
}

function colorRules(color: Color): string[] {
  const { button, buttonOver, onButton, onLight, onDark } = shadesOf(color)
  return [
    `--accent: light-dark(${onLight}, ${onDark});`,
    `--button: ${button};`,
    `--button-over: ${buttonOver};`,
    `--on-button: ${onButton};`,
  ]
}

/** Returns the path of a brand's stylesheet, or null if the brand changes nothing. A hash in the path allows caching forever. */
function brandStyle({ color, font }: BrandStyle): string | null {
  if (color === null && font === 'system') return null
  const hash = createHash('sha256').update(sheetOf({ color, font })).digest('hex').slice(0, 12)
  return `${BRAND_PATH}${color?.slice(1) ?? 'none'}-${font}-${hash}.css`
}

/** Returns the stylesheet at a URL, or null if no brand has this URL. */
export function brandAnswer(path: string): Response | null {
  const [, written = '', font = ''] = /^\/brand\/([0-9a-f]{6}|none)-([a-z]+)-[0-9a-f]{12}\.css$/.exec(path) ?? []
  const known = FONTS.find((one) => one === font)
  const color = `#${written}`
  if (!known || (written !== 'none' && !isColor(color))) return null
  const brand = { color: isColor(color) ? color : null, font: known }
  if (brandStyle(brand) !== path) return null
  const headers = {
    ...ALWAYS,
    'Content-Type': 'text/css; charset=utf-8',
    'Cache-Control': 'public, max-age=31536000, immutable',
  }
  return new Response(sheetOf(brand), { headers })
}

/** Renders the link to a brand's stylesheet, which must follow all other stylesheets in the head. */
export function brandLink(brand: BrandStyle | null | undefined): ReturnType<typeof html> | string {
  const address = brand ? brandStyle(brand) : null
  return address === null ? '' : html`<link rel="stylesheet" href="${address}">\n`
}
