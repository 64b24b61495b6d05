import { html, raw } from 'hono/html'
import type { Color } from '../../../../contract/values/colors.ts'
import { type Brand, type Fact, type Letter, type Line, type Part, PURCHASES, reach, type Shop } from './letter.ts'

/** HTML in which all inserted values are escaped. */
type Markup = ReturnType<typeof html>

const PLAIN = html`role="presentation" cellpadding="0" cellspacing="0" border="0"`

/** Uses tables and inline styles for mail clients. A shop's logo is the only external resource. */
export function letterHtml(letter: Letter, shop: Shop): string {
  const looks = looksOf(shop)
  return String(html`<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark"><title>${letter.subject}</title><style>${raw(sheetOf(looks))}</style></head>
<body class="page" style="margin:0;padding:0;${PAGE}">${hiddenPreview(letter.preview)}
<table class="page" ${PLAIN} width="100%" style="${PAGE}"><tr><td align="center" style="padding:32px 12px">
<table ${PLAIN} width="560" style="width:100%;max-width:560px;${looks.font}">
<tr><td class="card" style="${CARD}">${content(letter, shop.name, looks)}</td></tr>
<tr><td class="quiet" align="center" style="padding:20px 20px 0;font-size:13px;line-height:20px;${QUIET};${BREAKS}">
Questions? Please ${reach(shop)}.${footer(shop, looks)}</td></tr></table></td></tr></table></body></html>`)
}

/** The blanks prevent inboxes from showing the first words of the body after the preview. */
function hiddenPreview(preview: string): Markup {
  const blanks = '\u00a0\u200c'.repeat(80)
  return html`<div style="display:none;max-height:0;overflow:hidden;opacity:0">${preview}${blanks}</div>`
}

function footer({ purchasesUrl, stopUrl }: Shop, { light }: Brand): Markup {
  const purchases = html`<br><a class="link" href="${purchasesUrl}" style="color:${light.link};text-decoration:underline">${PURCHASES}</a>`
  const stop = html`<br><a class="quiet" href="${stopUrl}" style="${QUIET};text-decoration:underline">Stop e-mails like this</a>`
  return html`${purchasesUrl ? purchases : ''}${stopUrl ? stop : ''}`
}

function content({ heading, parts }: Letter, name: string, looks: Brand): Markup {
  return html`${looks.logo ? logoHtml(looks.logo) : ''}<p class="quiet" style="margin:0 0 4px;${SMALL_TEXT};${QUIET};${BREAKS}">${name}</p>
<h1 class="ink" style="${BELOW};font-size:24px;line-height:32px;font-weight:600;${INK};${BREAKS}">${heading}</h1>
${parts.map((part) => partHtml(part, looks))}`
}

/** The alternative text is empty, because the shop's name follows as text. */
function logoHtml(url: string): Markup {
  const size = 'height:48px;width:auto;max-width:100%;object-fit:contain;object-position:left'
  return html`<img src="${url}" height="48" alt="" style="display:block;margin:0 0 16px;border:0;${size}">`
}

function partHtml(part: Part, { light: { button, onButton } }: Brand): Markup {
  switch (part.kind) {
    case 'words':
      return html`<p class="ink" style="${BELOW};${BODY_TEXT};${INK};${BREAKS}">${part.words}</p>`
    case 'facts':
      return html`<table ${PLAIN} width="100%" style="${BELOW}">${part.rows.map(factHtml)}</table>`
    case 'lines':
      return html`<table ${PLAIN} width="100%" style="${BELOW}">${part.rows.map(lineHtml)}${part.totals.map(totalHtml)}</table>`
    case 'link':
      return html`<table ${PLAIN} style="margin:4px 0 24px"><tr>
<td class="button" bgcolor="${button}" style="background:${button};border-radius:8px">
<a href="${part.url}" style="display:inline-block;padding:13px 28px;font-size:16px;line-height:22px;font-weight:600;color:${onButton};text-decoration:none">${part.label}</a>
</td></tr></table>`
  }
}

function factHtml({ label, value }: Fact): Markup {
  return html`<tr>
<td class="quiet" valign="top" style="padding:3px 16px 3px 0;${FACT_TEXT};white-space:nowrap;${QUIET}">${label}</td>
<td class="ink" valign="top" width="100%" style="padding:3px 0;${FACT_TEXT};${INK};${BREAKS}">${value}</td></tr>`
}

function lineHtml({ name, detail, value }: Line): Markup {
  const below = detail === null ? '' : html`<br><span class="quiet" style="${SMALL_TEXT};${QUIET}">${detail}</span>`
  return html`<tr>
<td class="ink line" valign="top" style="padding:12px 16px 12px 0;${RULE};${BODY_TEXT};${INK};${BREAKS}">${name}${below}</td>
<td class="ink line" valign="top" align="right" style="padding:12px 0;${RULE};${BODY_TEXT};white-space:nowrap;${INK}">${value}</td></tr>`
}

/** Renders a row of the totals. Rows that are marked as strong are bold; if none is, the last row is. */
function totalHtml({ label, value, strong }: Fact, index: number, all: Fact[]): Markup {
  const [isFirst, isLast] = [index === 0, index === all.length - 1]
  const counts = all.some((fact) => fact.strong) ? strong : isLast
  const line = isFirst || isLast ? `${RULE};` : ''
  const padding = `padding:${isFirst || isLast ? 12 : 0}px 0 ${isLast ? 0 : 12}px`
  const looks = `${line}${padding};${BODY_TEXT};font-weight:${counts ? 600 : 400};${INK}`
  return html`<tr><td class="ink line" style="${looks}">${label}</td>
<td class="ink line" align="right" style="${looks};white-space:nowrap">${value}</td></tr>`
}

/** Mail clients need inline styles and do not support CSS variables, so values that are used more than once are constants. */
const FONT = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
/** The background colors of the page and of the card on it. */
export const PAPERS = { light: ['#f2f4f7', '#ffffff'], dark: ['#14181f', '#1f2630'] } as const satisfies Record<
  string,
  readonly Color[]
>
const PAGE = 'background:#f2f4f7'
const CARD = 'background:#ffffff;border-radius:12px;padding:32px'
const INK = 'color:#1c2430'
const QUIET = 'color:#5b6675'
const RULE = 'border-top:1px solid #e3e7ec'
const BODY_TEXT = 'font-size:16px;line-height:24px'
const SMALL_TEXT = 'font-size:14px;line-height:20px'
const FACT_TEXT = 'font-size:14px;line-height:22px'
const BELOW = 'margin:0 0 20px'
/** Breaks long names and URLs, which would otherwise make the page wider than a phone. */
const BREAKS = 'word-break:break-word;overflow-wrap:anywhere'

export const USUAL: Brand = {
  font: null,
  logo: null,
  light: { button: '#1d4ed8', onButton: '#ffffff', link: '#1d4ed8' },
  dark: { button: '#8ab4ff', onButton: '#10203f', link: '#8ab4ff' },
}

function looksOf({ brand = USUAL }: Shop): Brand & { font: string } {
  return { ...brand, font: `font-family:${brand.font ?? FONT}` }
}

/** Returns the styles for dark screens and phones, which cannot be inline. Clients that ignore them show the light page. */
function sheetOf({ dark }: Brand): string {
  return `
  @media (prefers-color-scheme: dark) {
    .page { background: #14181f !important } .card { background: #1f2630 !important }
    .ink { color: #edf0f4 !important } .quiet { color: #a7b1be !important } .line { border-color: #3a4452 !important }
    .button { background: ${dark.button} !important } .button a { color: ${dark.onButton} !important }
    .link { color: ${dark.link} !important }
  }
  @media (max-width: 520px) { .card { padding: 24px 20px !important } }`
}
