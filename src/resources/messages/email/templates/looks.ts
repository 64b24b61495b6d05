import type { Color } from '../../../../contract/values/colors.ts'
import type { Brand, Shop } from './letter.ts'

/** Mail clients need inline styles and do not support CSS variables, so values that are used more than once are constants. */
const FONT = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
/** The background colors of the page and of the card on it. */
export const PAPERS = { light: ['#f2f4f7', '#ffffff'], dark: ['#14181f', '#1f2630'] } as const satisfies Record<
  string,
  readonly Color[]
>
export const PAGE = 'background:#f2f4f7'
export const CARD = 'background:#ffffff;border-radius:12px;padding:32px'
export const INK = 'color:#1c2430'
export const QUIET = 'color:#5b6675'
export const RULE = 'border-top:1px solid #e3e7ec'
export const BODY_TEXT = 'font-size:16px;line-height:24px'
export const SMALL_TEXT = 'font-size:14px;line-height:20px'
export const FACT_TEXT = 'font-size:14px;line-height:22px'
export const BELOW = 'margin:0 0 20px'
/** Breaks long names and URLs, which would make the page wider than a phone. */
export const BREAKS = 'word-break:break-word;overflow-wrap:anywhere'

export const USUAL: Brand = {
  font: null,
  logo: null,
  light: { button: '#1d4ed8', onButton: '#ffffff', link: '#1d4ed8' },
  dark: { button: '#8ab4ff', onButton: '#10203f', link: '#8ab4ff' },
}

export function looksOf({ brand = USUAL }: Shop): Brand & { font: string } {
  return { ...brand, font: `font-family:${brand.font ?? FONT}` }
}

/** Returns the styles for dark screens and phones, which cannot be inline. Clients that ignore them show the light page. */
export function sheetOf({ dark }: Brand): string {
  return `
  @media (prefers-color-scheme: dark) {
    .page { background: #14181f !important } .card { background: #1f2630 !important }
    .ink { color: #edf0f4 !important } .quiet { color: #a7b1be !important } .line { border-color: #3a4452 !important }
    .button { background: ${dark.button} !important } .button a { color: ${dark.onButton} !important }
    .link { color: ${dark.link} !important }
  }
  @media (max-width: 520px) { .card { padding: 24px 20px !important } }`
}
