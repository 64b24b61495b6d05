import { html } from 'hono/html'
import type { Shown } from '../../../resources/nouns.ts'
import type { Page } from '../../parts/document.ts'
import { dataTable } from '../../parts/table.ts'
import { shown } from '../kit/ask.ts'
import type { DashboardPage } from '../kit/page.ts'
import { settingsPage } from './tabs.ts'

type Connection = Shown<'service_connections'>['connections'][number]

const STATES = {
  ready: ['good', 'Ready'],
  simulated: ['warn', 'Simulated'],
  missing: ['', 'Not set up'],
  outdated: ['bad', 'Outdated'],
} as const

/** What reaches outside, and what is missing until the rest does. */
export const connections: DashboardPage = {
  path: '/settings/connections',
  get: async (visit) => {
    const { connections } = await shown(visit.ask('GET /service_connections'))
    const columns = [
      { words: 'What', cell: ({ what }: Connection) => what },
      { words: 'State', cell: ({ state }: Connection) => badge(state) },
      { words: 'What happens now', cell: told },
    ]
    const lead = 'What leaves this service, and what stays on it.'
    return settingsPage(
      visit,
      { title: 'Connections', lead },
      dataTable({ caption: 'Connections', columns, rows: connections }),
    )
  },
}

function badge(state: Connection['state']): Page {
  const [tone, words] = STATES[state]
  return html`<span class="badge ${tone}">${words}</span>`
}

/** Settings of the service say nothing to a merchant, who can only ask for them. */
function told({ words, set_up, for_operator }: Connection): Page {
  const hint = (step: string) => html`<p class="hint">${step}</p>`
  const others =
    for_operator.length === 0
      ? ''
      : html`${hint(`${set_up.length > 0 ? 'Or ask' : 'Ask'} whoever runs this service to set it up.`)}<details class="unset"><summary>For whoever runs this service</summary>${for_operator.map(hint)}</details>`
  return html`${words}${set_up.map(hint)}${others}`
}
