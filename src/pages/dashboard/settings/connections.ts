import { html } from 'hono/html'
import type { Shown } from '../../../resources/nouns.ts'
import { dataTable, type Page } from '../../parts/markup.ts'
import { shown } from '../kit/call.ts'
import type { DashboardPage } from '../kit/visit.ts'
import { settingsPage } from './tabs.ts'

type Connection = Shown<'service_connections'>['connections'][number]

const STATES = {
  ready: ['good', 'Ready'],
  simulated: ['warn', 'Simulated'],
  missing: ['', 'Not set up'],
  outdated: ['bad', 'Outdated'],
} as const

export const connections: DashboardPage = {
  path: '/settings/connections',
  see: 'settings.read',
  get: async (visit) => {
    const { connections } = await shown(visit.call('GET /service_connections'))
    const columns = [
      { words: 'What', cell: ({ what }: Connection) => what },
      { words: 'State', cell: ({ state }: Connection) => badge(state) },
      { words: 'What happens now', cell: connectionText },
    ]
    const lead = 'What leaves this service, and what stays on it.'
    const content = dataTable({ caption: 'Connections', columns, rows: connections })
    return settingsPage(visit, { title: 'Connections', lead }, content)
  },
}

function badge(state: Connection['state']): Page {
  const [tone, words] = STATES[state]
  return html`<span class="badge ${tone}">${words}</span>`
}

/** Merchants cannot change settings of the service, so the text refers them to the operator. */
function connectionText({ words, set_up, for_operator }: Connection): Page {
  const ask = set_up.length > 0 ? 'Or ask' : 'Ask'
  const others = for_operator.length === 0 ? [] : [`${ask} whoever runs this service to set it up.`]
  return html`${words}${[...set_up, ...others].map(hint)}${forOperator(for_operator)}`
}

/** The steps are folded, because they name settings of the service that only the operator can change. */
export function forOperator(steps: readonly string[]): Page | '' {
  if (steps.length === 0) return ''
  return html`<details class="unset"><summary>For whoever runs this service</summary>${steps.map(hint)}</details>`
}

function hint(step: string): Page {
  return html`<p class="hint">${step}</p>`
}
