import { html } from 'hono/html'
import { counted } from '../../../../format/counts.ts'
import { formatDayTick, formatShortDay } from '../../../../format/moments.ts'
import { formatNumber } from '../../../../format/numbers.ts'
import { framed } from '../../../../pages/dashboard/kit/answers.ts'
import { shown } from '../../../../pages/dashboard/kit/call.ts'
import type { DashboardPage } from '../../../../pages/dashboard/kit/visit.ts'
import { fieldTitle, valueTitle } from '../../../../pages/dashboard/kit/words.ts'
import { COUNT, plot } from '../../../../pages/dashboard/plots/plot.ts'
import { type Column, dataTable, type Fact, factList, type Page } from '../../../../pages/parts/markup.ts'
import type { Shown } from '../../../../resources/nouns.ts'

type Totals = Shown<'social_analytics'>
type Timeline = Shown<'social_analytics_timeline'>
type Metrics = Totals['metrics']
type Metric = keyof Metrics

const HEADLINE: readonly Metric[] = ['posts', 'impressions', 'reach', 'likes', 'comments', 'clicks', 'followers']
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

export const analytics: DashboardPage = {
  path: '/social/analytics',
  see: 'content.read',
  async get(visit) {
    const account = visit.query.get('social_account') ?? ''
    const only = /^sacct_[a-z0-9]+$/.test(account) ? { social_account: account } : {}
    const [totals, timeline, best] = await Promise.all([
      shown(visit.call('GET /social_analytics', { query: only })),
      shown(visit.call('GET /social_analytics/timeline', { query: { ...only, interval: 'week' } })),
      shown(visit.call('GET /social_analytics/best_times', { query: only })),
    ])
    const crumbs = [{ words: 'Social calendar', address: `${visit.base}/social` }]
    const lead = `${dayText(totals.from)} to ${dayText(totals.to)}${totals.sandbox ? '. The built-in sandbox invents these figures.' : ''}`
    const content = html`${figures(totals)}${charts(timeline)}${weeksTable(timeline)}${platforms(totals)}${bestTimes(best)}`
    return framed(visit, { title: 'Social analytics', crumbs, lead }, content)
  },
}

/** Returns a calendar day in words, such as `16 Nov 2026`. A calendar day has no time zone. */
function dayText(day: string): string {
  return formatShortDay(`${day.slice(0, 10)}T00:00:00Z`, 'UTC')
}

function figures({ metrics }: Totals): Page {
  const facts = HEADLINE.map((name): Fact => [fieldTitle(name), formatNumber(metrics[name]), { kind: 'figure' }])
  return factList('figures', facts)
}

const DRAWN = [
  ['impressions', 'bars'],
  ['likes', 'bars'],
  ['clicks', 'bars'],
  ['followers', 'course'],
] as const

function charts({ points }: Timeline): Page {
  if (points.length === 0) return html``
  const cards = DRAWN.map(([name, shape]) => {
    const drawn = points.map(({ date, metrics }) => ({
      tick: formatDayTick(`${date.slice(0, 10)}T00:00:00Z`, 'UTC'),
      label: `Week from ${dayText(date)}`,
      value: metrics[name],
    }))
    const title = fieldTitle(name)
    const drawing = plot({ id: name, title, shape, points: drawn, unit: COUNT, of: 'Week' })
    return html`<section class="card plot-card" aria-labelledby="${name}-heading"><h2 id="${name}-heading">${title} by week</h2>${drawing}</section>`
  })
  return html`<div class="plot-cards">${cards}</div>`
}

function weeksTable({ points }: Timeline): Page {
  const names: Metric[] = ['impressions', 'reach', 'likes', 'comments', 'clicks', 'followers']
  const rows = points.toReversed().map(({ date, metrics }) => ({ head: dayText(date), metrics }))
  return metricsTable('By week', 'Week from', names, rows)
}

function platforms({ by_platform: all }: Totals): Page {
  if (!all) return html``
  const names: Metric[] = ['posts', 'impressions', 'reach', 'likes', 'comments', 'followers']
  const rows = Object.entries(all).map(([platform, metrics]) => ({ head: valueTitle(platform), metrics }))
  return metricsTable('By network', 'Network', names, rows)
}

interface MetricsRow {
  head: string
  metrics: Metrics
}

function metricsTable(title: string, first: string, names: readonly Metric[], rows: MetricsRow[]): Page {
  const id = title.toLowerCase().replaceAll(' ', '-')
  if (rows.length === 0) return html``
  const columns: Column<MetricsRow>[] = [
    { words: first, cell: ({ head }) => head },
    ...names.map((name) => ({
      words: fieldTitle(name),
      cell: ({ metrics }: MetricsRow) => formatNumber(metrics[name]),
      end: true,
    })),
  ]
  return html`<section class="related" aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${dataTable({ caption: title, columns, rows })}</section>`
}

function bestTimes({ slots, timezone }: Shown<'social_best_times'>): Page {
  const lines = slots.slice(0, 8).map(({ weekday, hour, score, samples }) => {
    const at = `${WEEKDAYS[weekday - 1]}, ${String(hour).padStart(2, '0')}:00`
    return html`<li><strong>${at}</strong> <meter min="0" max="1" value="${score}" aria-label="Engagement on ${at}"></meter> <span class="hint">${counted(samples, 'post')}</span></li>`
  })
  const list =
    lines.length > 0 ? html`<ol class="best">${lines}</ol>` : html`<p class="none">Nothing has been published yet.</p>`
  return html`<section class="card" aria-labelledby="best"><h2 id="best">Best times to post</h2><p class="hint">In the time zone ${timezone}.</p>${list}</section>`
}
