import { html } from 'hono/html'
import { currencyCode } from '../../../words/money.ts'
import { inSentence } from '../../../words/sentences.ts'
import type { Page } from '../../parts/markup.ts'
import { dashboardAnswer } from '../kit/answers.ts'
import { framed } from '../kit/frame.ts'
import { simulatedNote } from '../kit/simulated-orders.ts'
import { type DashboardPage, type Visit, withQuery } from '../kit/visit.ts'
import { plot } from '../plots/plot.ts'
import { moneyUnit } from '../plots/series.ts'
import { momentOf } from '../recover/words.ts'
import { type Asked, askedBy, queryOf, type Report, reportFor, type Sold, soldIn } from './asked.ts'
import { inCurrency, TITLES } from './columns.ts'
import { daysText, paidWithin, tickText } from './days.ts'
import { headline } from './headline.ts'
import { picker, segments } from './picker.ts'
import { tables } from './tables.ts'

/** What the shop earned: figures, their course, and tables of what they are made of. */
export const reportPage: DashboardPage = {
  path: '/reports',
  get: async (visit) => {
    const asked = askedBy(visit, await momentOf(visit))
    const found = await reportFor(visit, asked)
    const lead =
      'By the day of payment, in the account’s time zone. Refunds are taken off the day on which the order was paid.'
    const title = 'Reports'
    if ('problem' in found) {
      const content = html`${picker(visit, asked)}<p class="notice bad" role="alert">${inSentence(found.problem)}</p>`
      return dashboardAnswer(framed(visit, { title, lead }, content), { status: 422 })
    }
    return dashboardAnswer(
      framed(visit, { title, lead }, html`${picker(visit, asked)}${figures(visit, asked, found.report)}`),
    )
  },
}

function figures(visit: Visit, asked: Asked, report: Report): Page {
  const sold = soldIn(report, asked)
  if (!sold)
    return html`<div class="empty"><p>Nothing was sold from ${daysText(report).replace(' to ', ' until ')}.</p></div>`
  return html`${currencies(visit, asked, report, sold)}${headline(report, sold)}${simulatedNote(sold)}
<div class="plot-cards">${course(visit, report, sold)}${recurring(report, sold)}</div>
${tables(visit, asked, report, sold)}`
}

/** Currencies are never added up: one is shown at a time. */
function currencies({ path }: Visit, asked: Asked, { currencies: all }: Report, sold: Sold): Page {
  if (all.length < 2) return html``
  const choices = all.map(({ currency }) => ({
    words: currencyCode(currency),
    address: withQuery(path, queryOf(asked, { currency })),
    chosen: currency === sold.currency,
  }))
  return segments('Currency', choices)
}

function course({ base, account }: Visit, report: Report, { currency, points }: Sold): Page {
  const unit = moneyUnit(currency)
  const drawn = points.map((point) => ({
    tick: tickText(report, point),
    label: daysText(point),
    value: point.net,
    ...(point.orders > 0 && {
      address: withQuery(`${base}/orders`, { ...paidWithin(account.timezone, point), currency }),
    }),
  }))
  const title = inCurrency('Net revenue', currency)
  return html`<section class="card plot-card" aria-labelledby="net-heading"><h2 id="net-heading">${title} by ${report.interval}</h2>
${plot({ id: 'net', title, shape: 'bars', points: drawn, unit, of: TITLES[report.interval] })}
<p class="figure-note">Select a bar to see its orders.</p></section>`
}

function recurring(report: Report, { currency, recurring: { points, end } }: Sold): Page {
  if (end === 0 && points.every((point) => point.end === 0)) return html``
  const drawn = points.map((point) => ({ tick: tickText(report, point), label: daysText(point), value: point.end }))
  const title = inCurrency('Monthly recurring revenue', currency)
  return html`<section class="card plot-card" aria-labelledby="recurring-heading"><h2 id="recurring-heading">${title}</h2>
${plot({ id: 'recurring', title, shape: 'course', points: drawn, unit: moneyUnit(currency), of: TITLES[report.interval] })}
<p class="figure-note">What paying subscriptions are charged per month, before discounts.</p></section>`
}
