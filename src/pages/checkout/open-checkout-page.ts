import { html } from 'hono/html'
import { X402_CHAINS } from '../../contract/values/x402-chains.ts'
import { countriesByName } from '../../format/countries.ts'
import { counted } from '../../format/counts.ts'
import { formatUtcDay, withUtcMoments } from '../../format/moments.ts'
import { formatMoney } from '../../format/money.ts'
import { formatDecimal } from '../../format/numbers.ts'
import { regionsOf } from '../../format/regions.ts'
import type { X402Requirements } from '../../resources/company/x402-configuration/x402-configuration.ts'
import type { AskedPlace } from '../../resources/sales/checkout/place.ts'
import type { Sheet } from '../../resources/sales/checkout/sheet.ts'
import { termsOf } from '../../resources/sales/checkout/terms.ts'
import { pageAnswer } from '../parts/answers.ts'
import { document } from '../parts/document.ts'
import { emailField, factList, field, nameField, notice, type Page, type Problem, summaryOf } from '../parts/markup.ts'
import { cardPart } from './card.ts'
import { NOTHING_TYPED, type TypedValues } from './entries.ts'
import { unavailableItems } from './problems.ts'
import { CHECKOUT_STYLE, TOTAL_SCRIPT } from './stylesheet.ts'
import { discountPart, itemList, type TypedForm, totals } from './summary.ts'

const USDC_UNITS = 1_000_000

export interface OpenPage {
  address: string
  backUrl: string | null
  buyer: { email: string | null; name: string | null; fixed: boolean }
  typed?: TypedValues
  problems?: readonly Problem[]
  x402?: X402Requirements
  news?: { kind: 'good' | 'bad' | 'plain'; text: string }
}

/** The page has a script that updates the total when the cart or the country changes. */
export function openAnswer(
  sheet: Sheet,
  page: OpenPage,
  options: { status?: number; headers?: Record<string, string> } = {},
): Promise<Response> {
  return pageAnswer(openPage(sheet, page), { ...options, scripts: isChangeable(sheet) })
}

function openPage(sheet: Sheet, page: OpenPage): Page {
  const editing = { typed: page.typed ?? NOTHING_TYPED, problems: page.problems ?? [] }
  const blocked = unavailableItems(sheet)
  const title = titleOf(sheet)
  const content = html`<form class="checkout" method="post" novalidate action="${page.address}">
<input type="hidden" name="agreed" value="${sheet.agreement}">
<button class="unseen" type="submit" name="do" value="${blocked.length > 0 ? 'update' : 'pay'}" tabindex="-1" aria-hidden="true">${blocked.length > 0 ? 'Update' : 'Pay'}</button>
<p class="unseen" role="status"></p>
<section class="summary" aria-labelledby="title">
<h1 id="title">${title}</h1>
<p class="amount">${formatMoney(sheet.total, sheet.currency)} <span class="amount-when">${isOwed(sheet) ? 'to pay' : 'due today'}</span></p>
${termsPart(sheet)}${billPart(sheet)}
${itemList(sheet, editing)}
${discountPart(sheet, editing)}
${totals(sheet, isOwed(sheet) ? 'Total to pay' : 'Total due today')}
${sheet.place?.country === null ? html`<p class="hint">Tax depends on your country and is shown once you choose it.</p>` : ''}
</section>
<section class="pay" aria-label="Your details and payment">
${noticePart(sheet, page)}
${summaryOf(editing.problems)}
${blocked.length > 0 ? blockedPart(sheet, blocked, page) : sheet.closed === null ? payPart(sheet, page, editing) : closedPart(sheet.closed, page)}
</section>
</form>`
  const wrong = editing.problems.length > 0 || page.news?.kind === 'bad'
  const frame = {
    ...sheet,
    backUrl: page.backUrl,
    style: CHECKOUT_STYLE.address,
    ...(isChangeable(sheet) && { script: TOTAL_SCRIPT.address }),
  }
  return document(wrong ? `Problem: ${title}` : title, frame, content, 'paying')
}

function isChangeable({ items, place }: Sheet): boolean {
  return place !== null || items.some(({ changesQuantity, asksAmount }) => changesQuantity || asksAmount)
}

/** Returns whether the order pays an amount that is already due: an invoice, or a late subscription payment. */
function isOwed({ invoice, renewal }: Sheet): boolean {
  return invoice !== null || renewal !== null
}

function titleOf({ shop, items, total, recurring, invoice, renewal }: Sheet): string {
  if (invoice) return `Invoice ${invoice.number} from ${shop.name}`
  if (renewal) return `Pay for ${nameOf(items)}`
  if (recurring)
    return items[0]!.line.recurring?.trial_period_days ? `Try ${nameOf(items)}` : `Subscribe to ${nameOf(items)}`
  return total === 0 ? `Get ${nameOf(items)}` : `Pay ${shop.name}`
}

function nameOf(items: Sheet['items']): string {
  return items.length === 1 ? items[0]!.line.product_name : counted(items.length, 'item')
}

function termsPart(sheet: Sheet): Page {
  const terms = termsOf(sheet)
  return terms === null ? html`` : html`<p class="terms">${terms}</p>`
}

function billPart({ invoice }: Sheet): Page {
  if (!invoice) return html``
  const { description, due_at } = invoice
  return html`<p class="terms">${description ? html`${description}<br>` : ''}Due on ${formatUtcDay(due_at)}.</p>`
}

function noticePart({ lostCode }: Sheet, { news }: OpenPage): Page {
  const lost =
    lostCode && `The code ${lostCode.code} ${withUtcMoments(lostCode.problem)}. It is not included in these prices.`
  return html`${news ? notice(news.kind, news.text) : ''}${lost ? notice('plain', lost) : ''}`
}

function blockedPart({ items, shop }: Sheet, blocked: readonly Problem[], { backUrl, problems = [] }: OpenPage): Page {
  const own = items.some((item) => item.changesQuantity) && items.length > 1
  const way = own
    ? 'Remove what is unavailable, or lower its quantity, and update the total.'
    : `Contact ${shop.name} for help.`
  const back =
    backUrl === null
      ? html``
      : html`<p><a class="button" href="${backUrl}" rel="noreferrer">Back to ${shop.name}</a></p>`
  return html`${problems.length > 0 ? '' : summaryOf(blocked, 'This order cannot be paid yet')}<p>${way} Nothing was charged.</p>${back}`
}

/** Explains that cards are not accepted now. If software clients can still pay by x402, it shows the terms. */
function closedPart(why: string, { x402 }: OpenPage): Page {
  return html`${notice('bad', `${why} Nothing was charged.`)}${x402 ? x402Part(x402) : ''}`
}

function payPart(sheet: Sheet, page: OpenPage, editing: TypedForm): Page {
  return html`<h2>Your details</h2>
${buyerPart(page, editing)}
${sheet.place ? placePart(sheet.place, editing) : ''}
${sheet.takesCard ? cardPart(sheet, editing.problems) : providerPageHint(sheet)}
<button class="primary" type="submit" name="do" value="pay">${LOCK_ICON}${payWords(sheet)}</button>
${finePrint(sheet)}
${page.x402 ? x402Part(page.x402) : ''}`
}

function buyerPart({ buyer }: OpenPage, { typed, problems }: TypedForm): Page {
  if (buyer.fixed)
    return html`<p class="known"><span class="label">E-mail</span> ${buyer.name ? html`${buyer.name}, ` : ''}${buyer.email ?? ''}</p>`
  const email = typed.email ?? buyer.email ?? ''
  return html`${emailField(email, problems, 'We send your receipt to this address.')}${nameField(typed.name ?? '', problems)}`
}

function providerPageHint({ total, recurring }: Sheet): Page {
  if (total === 0 && !recurring) return html``
  return html`<h2>Payment</h2><p class="hint">You enter your card details on the payment provider’s page.</p>`
}

function payWords({ total, currency, recurring, takesCard, items, renewal }: Sheet): string {
  const amount = formatMoney(total, currency)
  const trial = items.some(({ line }) => line.recurring?.trial_period_days)
  if (total === 0) return recurring ? (trial ? 'Start the free trial' : 'Subscribe') : 'Complete the order'
  if (!takesCard) return `Continue to payment · ${amount}`
  if (!recurring || renewal) return `Pay ${amount}`
  return `${trial ? 'Start the trial' : 'Subscribe'} and pay ${amount}`
}

function finePrint({ shop, recurring }: Sheet): Page {
  if (!recurring) return html``
  return html`<p class="fine">By continuing, you allow ${shop.name} to charge your card for future payments under the terms above.</p>`
}

const LOCK_ICON = html`<svg aria-hidden="true" width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round"><rect x="3" y="7" width="10" height="6.5" rx="1.5"/><path d="M5 7V5a3 3 0 0 1 6 0v2"/></svg>`

function x402Part(requirements: X402Requirements): Page {
  const rows = requirements.accepts.map(({ amount, network, asset, payTo }) =>
    factList('payment-terms', [
      ['Amount', `${dollars(amount)} USDC`],
      ['Network', html`<code>${network}</code>`],
      ['USDC contract', html`<code>${asset}</code>`],
      ['Shop wallet', html`<code>${payTo}</code>`],
    ]),
  )
  return html`<details class="x402"><summary>For programs: pay in USDC with x402</summary>
<p class="hint">A program that asks this page’s address for anything but HTML is answered 402 with these terms. It signs them with the x402 protocol, version 2, and asks again with the header <code>PAYMENT-SIGNATURE</code>. USDC that you send to the wallet manually does not pay this order. ${usdcWorth(requirements)}</p>
${rows}
<pre tabindex="0" role="region" aria-label="x402 payment requirements, version ${requirements.x402Version}"><code>${JSON.stringify(requirements, null, 2)}</code></pre>
</details>`
}

/** Says whether the USDC is real. One page can accept both test cards and real USDC, because each has its own provider. */
function usdcWorth({ accepts }: X402Requirements): string {
  const isTest = accepts.every(({ network }) => network === X402_CHAINS['base-sepolia'].network)
  return isTest ? 'USDC on this network is for tests and worth nothing.' : 'USDC on this network is real money.'
}

/** Formats an amount in millionths of a USDC as dollars and cents: `29050000` becomes 29.05. */
function dollars(units: string): string {
  return formatDecimal(Number(units) / USDC_UNITS, 2)
}

/** Renders a select for the country, with regions if tax depends on them, and an input for the VAT id of a business. */
function placePart(place: AskedPlace, { typed, problems }: TypedForm): Page {
  const chosen = typed.place ?? choiceOf(place)
  const vatId = typed.vatId ?? place.vat_id ?? ''
  return html`<div class="place">${field({
    id: 'place',
    label: 'Country',
    hint: 'Which tax is due depends on it.',
    problems,
    input: (described) =>
      html`<span class="with-button"><select id="place" name="place" autocomplete="off" required${described}>${chosen === '' ? html`<option value="">Choose…</option>` : ''}${optionsOf(place).map(({ value, name }) => html`<option value="${value}"${value === chosen ? html` selected` : ''}>${name}</option>`)}</select><button class="apply" type="submit" name="do" value="update">Apply</button></span>`,
  })}${
    place.takesVatId || vatId !== ''
      ? field({
          id: 'vat_id',
          label: html`VAT ID <span class="optional">optional</span>`,
          hint: 'Of a business, which then pays without tax (reverse charge).',
          problems,
          input: (described) =>
            html`<input id="vat_id" name="vat_id" type="text" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="40" value="${vatId}"${described}>`,
        })
      : ''
  }</div>`
}

function choiceOf({ country, region, byRegion }: AskedPlace): string {
  if (country === null) return ''
  if (!byRegion.includes(country)) return country
  return region === null ? '' : `${country}-${region}`
}

function optionsOf({ byRegion }: AskedPlace): { value: string; name: string }[] {
  return countriesByName().flatMap(({ code, name }) =>
    byRegion.includes(code)
      ? regionsOf(code).map((region) => ({ value: `${code}-${region.code}`, name: `${name}: ${region.name}` }))
      : [{ value: code, name }],
  )
}
