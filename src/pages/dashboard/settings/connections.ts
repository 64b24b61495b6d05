import { html } from 'hono/html'
import { type Connected, serviceConnections } from '../../../resources/dashboard/service-connections.ts'
import { dataTable, type Page } from '../../parts/markup.ts'
import type { DashboardPage } from '../kit/visit.ts'
import { settingsPage } from './tabs.ts'

const STATES = {
  ready: ['good', 'Ready'],
  simulated: ['warn', 'Simulated'],
  missing: ['', 'Not set up'],
  outdated: ['bad', 'Outdated'],
} as const

export const connectionsPage: DashboardPage = {
  path: '/settings/connections',
  see: 'settings.read',
  get: async (visit) => {
    const rows = await visit.read(
      serviceConnections,
      visit.parts.features.flatMap(({ connections = [] }) => connections),
    )
    const columns = [
      { words: 'What', cell: ({ what }: Connected) => what },
      { words: 'State', cell: ({ state }: Connected) => badge(state) },
      { words: 'What happens now', cell: connectionText },
    ]
    const lead = 'What leaves this service, and what stays on it.'
    const content = dataTable({ caption: 'Connections', columns, rows })
    return settingsPage(visit, { title: 'Connections', lead }, content)
  },
}

function badge(state: Connected['state']): Page {
  const [tone, words] = STATES[state]
  return html`<span class="badge ${tone}">${words}</span>`
}

/** Describes a connection. Merchants cannot change settings of the service, so the text refers them to the operator. */
function connectionText({ words, set_up, for_operator }: Connected): Page {
  const ask = set_up.length > 0 ? 'Or ask' : 'Ask'
  const others = for_operator.length === 0 ? [] : [`${ask} whoever runs this service to set it up.`]
  return html`${words}${[...set_up, ...others].map(hint)}${forOperator(for_operator)}`
}

/** Renders steps for the operator. They are folded, because they name settings that only the operator can change. */
export function forOperator(steps: readonly string[]): Page | '' {
  if (steps.length === 0) return ''
  return html`<details class="unset"><summary>For whoever runs this service</summary>${steps.map(hint)}</details>`
}

function hint(step: string): Page {
  return html`<p class="hint">${step}</p>`
}
