import { html } from 'hono/html'
import type { Json } from '../../../contract/values/json.ts'
import { currencies } from '../../../contract/values/values.ts'
import { currencyCode, formatMoney, minorDigits } from '../../../format/money.ts'
import { formatNumber, formatNumberShort } from '../../../format/numbers.ts'
import { sentenceCase } from '../../../format/sentences.ts'
import { modelSettings } from '../../../resources/dashboard/model-settings/settings.ts'
import type { Shown } from '../../../resources/nouns.ts'
import { dataTable, type Page } from '../../parts/markup.ts'
import { framed } from '../kit/answers.ts'
import { refusalOf } from '../kit/call.ts'
import { type DashboardContext, type DashboardPage, may } from '../kit/visit.ts'
import { shortened } from '../kit/words.ts'
import { plot } from '../plots/plot.ts'
import { jsonTree, numberedCode } from './code.ts'

type Question = Shown<'question'>

const MOST_ROWS = 100
const MOST_COLUMNS = 8
const MOST_BARS = 40
const MAX_CELL = 200
const MAX_TICK = 10

export const askPage: DashboardPage = {
  path: '/ask',
  see: 'account.spend',
  get: async (visit) => page(visit, visit.query.get('question') ?? '', await missingModel(visit)),
  post: async (visit, _, form) => {
    const question = (form.get('question') ?? '').trim()
    if (question === '') return page(visit, '', refused('Write a question first.'), 422)
    const answer = await visit.call('POST /ask', { body: { question } })
    const refusal = refusalOf(answer)
    if (refusal) return page(visit, question, refused(refusal.message), answer.status)
    return page(visit, question, answerSection(visit, answer.body))
  },
}

/** Links to the model settings before the person types a question, because nothing can answer questions without a model. */
async function missingModel(visit: DashboardContext): Promise<Page> {
  if (!may(visit, modelSettings.needs)) return html``
  if ((await visit.read(modelSettings)).used !== 'none') return html``
  return html`<p class="notice wait">No model is set up, so questions cannot be answered yet. <a href="${visit.base}/settings/model" data-turbo-frame="_top">Set a model of your own</a>, or ask the operator of this service for one.</p>`
}

function refused(message: string): Page {
  return html`<p class="notice bad" role="alert">${message}</p>`
}

function page(visit: DashboardContext, question: string, answer: Page, status = 200): Promise<Response> {
  const content = html`<form class="playground ask" method="post" action="${visit.base}/ask" data-turbo-frame="answer">
<input type="hidden" name="csrf" value="${visit.csrf}">
<label for="question">Your question, or what is to change</label>
<textarea id="question" name="question" rows="3" maxlength="4000" required>${question}</textarea>
<p class="hint">For example: “What did I earn in October by product?” or “10 % off all prints until Sunday”.</p>
<div class="form-buttons"><button class="primary" data-turbo-submits-with="Looking it up…">Ask</button></div></form>
<turbo-frame id="answer">${answer}</turbo-frame>`
  const options = {
    title: 'Ask',
    lead: 'Nothing is changed here: a change becomes a plan, which you look at and apply.',
  }
  return framed(visit, { ...options, status }, content)
}

function answerSection({ base }: DashboardContext, { text, code, result, plan }: Question): Page {
  return html`<section class="played" aria-labelledby="answer-heading" role="status"><h2 id="answer-heading">Answer</h2>
<p class="prose">${text}</p>
${plan === null ? html`${barChart(result)}${shownResult(result)}` : html`<p class="plan-link"><a class="button primary" href="${base}/plans/${plan}" data-turbo-frame="_top">See what would change</a></p>`}
${code === null ? '' : html`<details class="raw"><summary>The program behind it</summary>${numberedCode(code)}</details>`}</section>`
}

type RowOf = Record<string, Json>

function rowsIn(result: Json): RowOf[] {
  const rows = Array.isArray(result) ? result : []
  return rows.every(isRow) ? rows : []
}

function isRow(value: Json): value is RowOf {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function shownResult(result: Json): Page {
  const rows = rowsIn(result)
  const names = Object.keys(rows[0] ?? {}).slice(0, MOST_COLUMNS)
  if (rows.length === 0 || names.length === 0) return result === null ? html`` : jsonTree(result)
  const columns = names.map((name) => ({
    words: titleOf(name),
    cell: (row: RowOf) => cellOf(row[name], currencyIn(name)),
    end: rows.every((row) => typeof row[name] === 'number'),
  }))
  const left = rows.length - MOST_ROWS
  return html`${dataTable({ caption: 'Result', columns, rows: rows.slice(0, MOST_ROWS) })}${left > 0 ? html`<p class="hint">${formatNumber(left)} more rows are not shown.</p>` : ''}`
}

/** Returns a column's title: `net_usd` becomes `Net (USD)`. */
function titleOf(name: string): string {
  const currency = currencyIn(name)
  if (currency === null) return sentenceCase(name.replaceAll('_', ' '))
  const words = sentenceCase(name.slice(0, -currency.length - 1).replaceAll('_', ' '))
  return `${words} (${currencyCode(currency)})`
}

/** Returns the currency code that ends a column's name: the model's instructions ask for names such as `net_usd`. */
function currencyIn(name: string): string | null {
  const code = /_([a-z]{3})$/.exec(name)?.[1]
  return code !== undefined && currencies.has(code) ? code : null
}

function cellOf(value: Json | undefined, currency: string | null = null): string {
  if (value === null || value === undefined) return '–'
  if (typeof value === 'number')
    return currency === null
      ? formatNumber(value)
      : formatMoney(Math.round(value * 10 ** minorDigits(currency)), currency)
  return shortened(typeof value === 'string' ? value : JSON.stringify(value), MAX_CELL)
}

/** Charts the first column of numbers, with the first column as labels. Results with negative numbers get no chart. */
function barChart(result: Json): Page {
  const rows = rowsIn(result)
  const [label, ...others] = Object.keys(rows[0] ?? {})
  const value = others.find((name) => rows.every((row) => typeof row[name] === 'number'))
  if (label === undefined || value === undefined || rows.length < 2 || rows.length > MOST_BARS) return html``
  const points = rows.map((row) => {
    const words = cellOf(row[label])
    return { tick: shortened(words, MAX_TICK), label: words, value: Number(row[value]) }
  })
  if (points.some((point) => point.value < 0)) return html``
  const unit = { text: formatNumber, short: formatNumberShort }
  const title = titleOf(value)
  return html`<section class="card plot-card" aria-label="${title}">${plot({ id: 'answer-plot', title, shape: 'bars', points, unit, of: titleOf(label) })}</section>`
}
