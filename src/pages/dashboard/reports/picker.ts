import { html } from 'hono/html'
import { optionTags, type Page } from '../../parts/markup.ts'
import { foldedFilters } from '../kit/controls.ts'
import { type DashboardContext, withQuery } from '../kit/visit.ts'
import { COMPARED, INTERVALS, queryOf, RANGES, type ReportRequest } from './asked.ts'

export function segments(label: string, choices: readonly { words: string; address: string; chosen: boolean }[]): Page {
  const links = choices.map(
    ({ words, address, chosen }) =>
      html`<li><a class="segment" href="${address}"${chosen ? html` aria-current="true"` : ''}>${words}</a></li>`,
  )
  return html`<nav class="segments report-segments" aria-label="${label}"><ul>${links}</ul></nav>`
}

export function picker({ path }: DashboardContext, asked: ReportRequest): Page {
  const ranges = Object.entries(RANGES).filter(([range]) => range !== 'own')
  const choices = ranges.map(([range, words]) => ({
    words,
    address: withQuery(path, queryOf({ ...asked, range: range as ReportRequest['range'] })),
    chosen: range === asked.range,
  }))
  const { by, currency } = queryOf(asked)
  const form = html`<form class="filters" method="get" aria-label="Days of the report">
<input type="hidden" name="range" value="own"><input type="hidden" name="by" value="${by}"><input type="hidden" name="currency" value="${currency}">
<div class="filter"><label for="r-from">From</label><input type="date" id="r-from" name="from" value="${asked.from}" required></div>
<div class="filter"><label for="r-to">To</label><input type="date" id="r-to" name="to" value="${asked.to}" required></div>
${choice('compare', 'Compare with', COMPARED, asked.compare)}${choice('interval', 'Grouped by', INTERVALS, asked.interval)}
<div class="filter-buttons"><button>Apply</button></div></form>`
  return html`${segments('Range', choices)}${foldedFilters(form, { words: 'Dates and comparison', set: 0, isEmpty: false })}`
}

function choice(name: string, label: string, values: Readonly<Record<string, string>>, given: string): Page {
  return html`<div class="filter"><label for="r-${name}">${label}</label><select class="report-choice" id="r-${name}" name="${name}">${optionTags(Object.entries(values), given)}</select></div>`
}
