import { html } from 'hono/html'
import { formatMoment } from '../../../format/moments.ts'
import { type Column, dataTable, type Page } from '../../parts/markup.ts'
import { pager } from '../derived/list.ts'
import { framed } from '../kit/answers.ts'
import { answeredRows } from '../kit/call.ts'
import { badge, rowLink } from '../kit/value.ts'
import { type DashboardContext, type DashboardPage, withQuery } from '../kit/visit.ts'
import { live } from './code.ts'
import { type Plan, planTitle, timeUntil, whoOf } from './words.ts'

const ROWS = 25
const VIEWS = [
  ['open', 'Waiting'],
  ['applied', 'Applied'],
  ['rejected', 'Rejected'],
  ['withdrawn', 'Withdrawn'],
  ['expired', 'Expired'],
  ['all', 'All'],
] as const

export const plansPage: DashboardPage = {
  path: '/plans',
  see: 'programs.read',
  get: async (visit) => {
    const asked = visit.query.get('state')
    const [state] = VIEWS.find(([name]) => name === asked) ?? VIEWS[0]
    const after = visit.query.get('starting_after')
    const query = { limit: ROWS, ...(state !== 'all' && { state }), ...(after && { starting_after: after }) }
    const { rows, more } = await answeredRows(visit.call('GET /plans', { query }))
    const content = html`${views(visit, state)}
${live('plans', html`${rows.length > 0 ? plansTable(visit, rows) : empty(visit, state)}${pager(visit, rows, more)}`)}`
    const lead = 'Agents with the right to propose leave plans here. A plan changes nothing until a person applies it.'
    return framed(visit, { title: 'Plans', lead }, content)
  },
}

function views(visit: DashboardContext, shown: string): Page {
  const links = VIEWS.map(
    ([state, words]) =>
      html`<li><a href="${withQuery(visit.path, { state: state === 'open' ? undefined : state })}"${state === shown ? html` aria-current="page"` : ''}>${words}</a></li>`,
  )
  return html`<nav class="views" aria-label="States of plans"><ul>${links}</ul></nav>`
}

function plansTable({ base, account }: DashboardContext, plans: Plan[]): Page {
  const columns: Column<Plan>[] = [
    { words: 'What happens', cell: (plan) => rowLink(`${base}/plans/${plan.id}`, planTitle(plan)) },
    { words: 'Planned by', cell: whoOf },
    { words: 'State', cell: stateCell },
    {
      words: 'When',
      cell: ({ decided_at, created_at }) => {
        const at = decided_at ?? created_at
        return html`<time datetime="${at}">${formatMoment(at, account.timezone)}</time>`
      },
    },
  ]
  return dataTable({ caption: 'Plans', columns, rows: plans })
}

function stateCell({ state, expires_at }: Plan): Page {
  const until = state === 'open' ? html` <span class="of">${timeUntil(expires_at)} left</span>` : ''
  return html`${badge(state)}${until}`
}

function empty({ base }: DashboardContext, state: string): Page {
  const words: Record<string, string> = {
    open: 'No plans are waiting for you.',
    applied: 'No plans were applied lately.',
    rejected: 'No plans were rejected lately.',
    withdrawn: 'No plans were withdrawn lately.',
    expired: 'No plans expired in the last day.',
  }
  return html`<div class="empty"><p>${words[state] ?? 'There are no plans yet.'}</p>
<p>When an agent has a propose token, every program that would change something becomes a plan.</p>
<p><a class="button" href="${base}/developers/tokens">Create a token for an agent</a></p></div>`
}
