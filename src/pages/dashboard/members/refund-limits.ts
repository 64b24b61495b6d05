import { html } from 'hono/html'
import { formatMoney, plainAmount } from '../../../words/money.ts'
import { amountExamples, readAmount } from '../../../words/money-input.ts'
import type { Page } from '../../parts/document.ts'
import { field, summaryOf } from '../../parts/fields.ts'
import type { Problem } from '../../parts/problem.ts'
import { dashboardAnswer } from '../kit/answers.ts'
import { refusalOf, rowsOf } from '../kit/ask.ts'
import { framed } from '../kit/frame.ts'
import { goDone } from '../kit/notices.ts'
import type { DashboardPage } from '../kit/page.ts'
import type { Visit } from '../kit/visit.ts'

const PATH = '/settings/members/refunds'

/** What support may refund on one order, by currency, and the way to change it. */
export async function refundLimitsCard(visit: Visit): Promise<Page> {
  const { rows } = await rowsOf(visit.ask('GET /refund_limits'))
  const words =
    rows.length === 0
      ? 'People with the role Support cannot refund anything yet: no limit is set.'
      : `People with the role Support may refund at most ${rows.map(({ amount, currency }) => formatMoney(amount, currency)).join(' or ')} of one order, all of them together.`
  return html`<section class="card" aria-labelledby="refund-limit"><h2 id="refund-limit">Refunds by support</h2><p>${words}</p><p><a class="button" href="${visit.base}${PATH}">Set a limit</a></p></section>`
}

/** The form that sets the limit of a currency. */
export const refundLimitPage: DashboardPage = {
  path: PATH,
  get: (visit) => show(visit, visit.query, []),
  post: async (visit, _, form) => {
    const currency = (form.get('currency') ?? '').trim().toLowerCase()
    const amount = readAmount(form.get('amount') ?? '', currency)
    if (amount === null)
      return show(visit, form, [
        { field: 'amount', message: `Write the amount as a number, such as ${amountExamples(currency)}.` },
      ])
    const answer = await visit.ask('PATCH /refund_limits', { body: { currency, amount } })
    const refusal = refusalOf(answer)
    if (!refusal) return goDone(visit, `${visit.base}/settings/members`, 'saved')
    const problems = Object.entries(refusal.errors ?? {}).map(([name, [message = '']]) => ({
      field: name,
      message: `The ${name} ${message}.`,
    }))
    return show(visit, form, problems.length > 0 ? problems : [{ field: null, message: refusal.message }])
  },
}

async function show(visit: Visit, given: URLSearchParams, problems: Problem[]): Promise<Response> {
  const { rows } = await rowsOf(visit.ask('GET /refund_limits'))
  const currency = given.get('currency') ?? rows[0]?.currency ?? visit.account.default_currency
  const limit = rows.find((one) => one.currency === currency)
  const amount = given.get('amount') ?? (limit ? plainAmount(limit.amount, limit.currency) : '')
  const content = html`${summaryOf(problems)}<form class="card form" method="post" novalidate action="${visit.base}${PATH}"><input type="hidden" name="csrf" value="${visit.csrf}">
${field({
  ...{
    id: 'currency',
    label: 'Currency',
    problems,
    hint: 'A three-letter code. Each currency has a limit of its own.',
  },
  input: (described) =>
    html`<input id="currency" name="currency" maxlength="3" autocomplete="off" value="${currency}"${described}>`,
})}
${field({
  ...{
    id: 'amount',
    label: 'At most on one order',
    problems,
    hint: 'Refunds of one order by support count together. 0 for none.',
  },
  input: (described) =>
    html`<input id="amount" name="amount" inputmode="decimal" autocomplete="off" value="${amount}"${described}>`,
})}
<div class="form-buttons"><button class="primary">Save</button><a class="button quiet" href="${visit.base}/settings/members">Cancel</a></div></form>`
  const crumbs = [{ words: 'Members', address: `${visit.base}/settings/members` }]
  return dashboardAnswer(framed(visit, { title: 'Refunds by support', crumbs }, content), {
    status: problems.length > 0 ? 422 : 200,
  })
}
