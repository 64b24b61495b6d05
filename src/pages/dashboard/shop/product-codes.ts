import { html } from 'hono/html'
import { counted } from '../../../format/counts.ts'
import type { Page } from '../../parts/markup.ts'
import { refusalOf, rowsIn } from '../kit/call.ts'
import { copyableText } from '../kit/copy-buttons.ts'
import { ifOpen } from '../kit/page-rights.ts'
import { badge } from '../kit/value.ts'
import type { DashboardContext, Viewed } from '../kit/visit.ts'
import { offOf, usedOf } from './discounts.ts'
import { day } from './money.ts'

type Discount = Viewed<'discount'>

/** The query parameter with the id of the discount code that was created together with the product. */
export const NEW_CODE = 'code'

const MOST = 20

/** Returns the newest discount codes for a product or its prices, or none if the person may not see them. */
export async function codesOf(visit: DashboardContext, product: string): Promise<Discount[]> {
  const answer = await visit.call('GET /discounts', { query: { product, limit: MOST } })
  return refusalOf(answer) ? [] : rowsIn(answer).rows
}

export async function newCode(visit: DashboardContext, product: Viewed<'product'>): Promise<Page | null> {
  const id = visit.query.get(NEW_CODE)
  if (id === null) return null
  const code = (await codesOf(visit, product.id)).find((one) => one.id === id)
  if (!code) return null
  return html`<section class="notice good code-ready" role="status"><p>Code ${copyableText(code.code, 'the code')} is ready: ${termsOf(visit, code)}. <a href="${visit.base}/discounts/${code.id}">View discount</a></p></section>`
}

export async function productCodes(visit: DashboardContext, product: Viewed<'product'>): Promise<Page | null> {
  const codes = await codesOf(visit, product.id)
  const add = ifOpen(
    visit,
    '/discounts/new',
    html`<a class="button" href="${visit.base}/discounts/new?applies_to_product_ids=${encodeURIComponent(product.id)}">Add a code</a>`,
  )
  if (codes.length === 0 && String(add) === '') return null
  const all = html`<p class="aside"><a href="${visit.base}/discounts?product=${encodeURIComponent(product.id)}">All discounts for this product</a></p>`
  const list =
    codes.length > 0
      ? html`${codeList(visit, codes)}${codes.length === MOST ? all : ''}`
      : html`<p class="none">No discount code is for this product alone.</p>`
  return html`<section class="card" aria-labelledby="codes"><header class="card-head"><h2 id="codes">Discount codes</h2>${add}</header>${list}</section>`
}

export function codeList(visit: DashboardContext, codes: readonly Discount[]): Page {
  const lines = codes.map(
    (code) =>
      html`<li><a href="${visit.base}/discounts/${code.id}"><strong>${code.code}</strong></a> ${badge(code.status)} <span class="soft">${termsOf(visit, code)}. ${code.times_redeemed === 0 ? 'Not used yet' : `Used ${usedOf(code)} ${code.times_redeemed === 1 && !code.max_redemptions ? 'time' : 'times'}`}.</span></li>`,
  )
  return html`<ul class="code-list">${lines}</ul>`
}

/** Returns a code's terms in words: `20% off this product, until May 3, 100 uses`. */
function termsOf(visit: DashboardContext, code: Discount): string {
  const { redeem_by: until, max_redemptions: most } = code
  return [`${offOf(code)} this product`, until && `until ${day(visit, until)}`, most && counted(most, 'use')]
    .filter(Boolean)
    .join(', ')
}
