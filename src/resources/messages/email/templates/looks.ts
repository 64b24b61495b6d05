import type { Shop } from './letter.ts'

/**
 * What letters look like. Mail clients need styles inline and know no variables, so every value that appears more than once is
 * written here, as the declarations that it is used in.
 */
const FONT = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
const ACCENT = '#1d4ed8'
export const PAGE = 'background:#f2f4f7'
export const CARD = 'background:#ffffff;border-radius:12px;padding:32px'
export const INK = 'color:#1c2430'
export const QUIET = 'color:#5b6675'
export const RULE = 'border-top:1px solid #e3e7ec'
export const BODY_TEXT = 'font-size:16px;line-height:24px'
export const SMALL_TEXT = 'font-size:14px;line-height:20px'
export const FACT_TEXT = 'font-size:14px;line-height:22px'
export const BELOW = 'margin:0 0 20px'
/** Long names and addresses must not make the page wider than a phone. */
export const BREAKS = 'word-break:break-word;overflow-wrap:anywhere'

/** Looks that cannot be inline: those of dark screens and of phones. Clients that ignore them show the light page. */
export const SHEET = `
  @media (prefers-color-scheme: dark) {
    .page { background: #14181f !important } .card { background: #1f2630 !important }
    .ink { color: #edf0f4 !important } .quiet { color: #a7b1be !important } .line { border-color: #3a4452 !important }
    .button { background: #8ab4ff !important } .button a { color: #10203f !important }
  }
  @media (max-width: 520px) { .card { padding: 24px 20px !important } }`

/** What follows from whose letter it is: the one place where a shop's colour, letters and logo come in. */
export function looksOf({ brand = {} }: Shop): {
  accent: string
  font: string
  logo: { url: string; width: number } | null
} {
  return { accent: brand.color ?? ACCENT, font: `font-family:${brand.font ?? FONT}`, logo: brand.logo ?? null }
}
