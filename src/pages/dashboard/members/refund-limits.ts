import { html } from 'hono/html'
import { currencyCode, formatMoney, plainAmount } from '../../../format/money.ts'
import type { ValueOf } from '../../../records/dashboard-read.ts'
import { refundLimitsOfSupport } from '../../../resources/dashboard/refund-limit/limits.ts'
import { field, type Page, type Problem, summaryOf } from '../../parts/markup.ts'
import { problemsOf } from '../derived/problem-words.ts'
import { readBody } from '../derived/read-form.ts'
import { framed, goDone } from '../kit/answers.ts'
import { refusalOf, rowsIn } from '../kit/call.ts'
import type { DashboardContext, DashboardPage } from '../kit/visit.ts'

const PATH = '/settings/members/refunds'
/** The maximum number of prices that are read to find the currencies in use. */
const MOST_PRICES = 100

type Limit = ValueOf<typeof refundLimitsOfSupport>[number]

export interface Limits {
  limits: Limit[]
  currencies: string[]
}

/** Returns the refund limits and the currencies in use: the account's, those of its newest prices, and those with a limit. */
export async function limitsOf(visit: DashboardContext): Promise<Limits> {
  const limits = await visit.read(refundLimitsOfSupport)
  const { rows: prices } = rowsIn(await visit.call('GET /price_variants', { query: { limit: MOST_PRICES } }))
  const used = [...limits, ...prices].map(({ currency }) => currency).toSorted()
  return { limits, currencies: [...new Set([visit.account.default_currency, ...used])] }
}

export function refundLimitsCard(visit: DashboardContext, { limits }: Limits): Page {
  const words =
    limits.length === 0
      ? 'People with the role Support cannot refund anything yet: no limit is set.'
      : `People with the role Support may refund at most ${inWords(limits)} of one order, all of them together.`
  return html`<section class="card" aria-labelledby="refund-limit"><h2 id="refund-limit">Refunds by support</h2><p>${words}</p><p><a class="button" href="${visit.base}${PATH}">Set a limit</a></p></section>`
}

function inWords(limits: readonly Limit[]): string {
  return limits.map(({ amount, currency }) => formatMoney(amount, currency)).join(' or ')
}

/** Renders the input for the refund limit in an invitation. An empty input leaves the limit unchanged. */
export function limitOfInvitation(
  { limits, currencies }: Limits,
  problems: readonly Problem[],
  typed: URLSearchParams,
): Page {
  const [own = '', ...others] = currencies
  const now = limits.length === 0 ? 'nothing' : `${inWords(limits)} of one order`
  const unit = others.length === 0 ? `In ${currencyCode(own)}. ` : ''
  const hint = `${unit}For everybody with the role Support, together. Now: ${now}. Leave it empty to keep that.`
  return html`<div class="when-support">${amountField(problems, { hint, label: 'May refund, at most on one order', value: typed.get('amount') ?? '' })}
${others.length === 0 ? html`<input type="hidden" name="currency" value="${own}">` : currencyField(currencies, problems, typed.get('currency') ?? own)}</div>`
}

interface AmountWords {
  label: string
  hint: string
  value: string
}

function amountField(problems: readonly Problem[], { label, hint, value }: AmountWords): Page {
  return field({
    ...{ id: 'field-amount', label, problems, hint },
    input: (described) =>
      html`<input id="field-amount" name="amount" inputmode="decimal" autocomplete="off" value="${value}"${described}>`,
  })
}

function currencyField(currencies: readonly string[], problems: readonly Problem[], chosen: string, hint = ''): Page {
  return field({
    ...{ id: 'field-currency', label: 'Currency of the orders', problems, hint },
    input: (described) =>
      html`<select id="field-currency" name="currency"${described}>${currencies.map((code) => html`<option value="${code}"${code === chosen ? html` selected` : ''}>${currencyCode(code)}</option>`)}</select>`,
  })
}

export function limitIn(visit: DashboardContext, form: URLSearchParams) {
  return readBody(visit, visit.catalogue.bodyOf('PATCH /refund_limits'), form, null)
}

export const refundLimitPage: DashboardPage = {
  path: PATH,
  see: 'settings.write',
  get: (visit) => show(visit, visit.query, []),
  post: async (visit, _, form) => {
    const limit = limitIn(visit, form)
    const answer = await visit.call('PATCH /refund_limits', { body: limit })
    const fields = visit.catalogue.bodyOf('PATCH /refund_limits')
    const problems = problemsOf(refusalOf(answer), fields, { currency: limit.currency ?? null })
    return problems.length > 0 ? show(visit, form, problems) : goDone(visit, `${visit.base}/settings/members`, 'saved')
  },
}

async function show(visit: DashboardContext, given: URLSearchParams, problems: Problem[]): Promise<Response> {
  const { limits, currencies } = await limitsOf(visit)
  const currency = given.get('currency') ?? limits[0]?.currency ?? visit.account.default_currency
  const limit = limits.find((one) => one.currency === currency)
  const amount = {
    label: 'At most on one order',
    hint: 'Refunds of one order by support count together. 0 for none.',
    value: given.get('amount') ?? (limit ? plainAmount(limit.amount, limit.currency) : ''),
  }
  const content = html`${summaryOf(problems)}<form class="card form" method="post" novalidate action="${visit.base}${PATH}"><input type="hidden" name="csrf" value="${visit.csrf}">
${currencyField(currencies, problems, currency, 'Each currency has a limit of its own.')}
${amountField(problems, amount)}
<div class="form-buttons"><button class="primary">Save</button><a class="button quiet" href="${visit.base}/settings/members">Cancel</a></div></form>`
  const crumbs = [{ words: 'Members', address: `${visit.base}/settings/members` }]
  return framed(visit, { title: 'Refunds by support', crumbs, status: problems.length > 0 ? 422 : 200 }, content)
}
