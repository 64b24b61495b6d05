import { html } from 'hono/html'
import { SIGN_IN_NOTE, signInConfigurations } from '../../../access/client-configuration.ts'
import type { Shown } from '../../../resources/nouns.ts'
import { type Column, dataTable, type Page } from '../../parts/markup.ts'
import { goDone } from '../kit/answers.ts'
import { answeredRows, shown } from '../kit/call.ts'
import { copyable } from '../kit/copy-buttons.ts'
import { buttonForm } from '../kit/page-rights.ts'
import { badge, moment } from '../kit/value.ts'
import { type DashboardContext, type DashboardPage, pageAt } from '../kit/visit.ts'
import { valueTitle } from '../kit/words.ts'
import { developerPage } from './tabs.ts'

const PATH = '/developers/connections'
const MOST_SHOWN = 100

type Connection = Shown<'connection'>

export const clientConnectionPages: DashboardPage[] = [
  { path: PATH, see: 'self.read', get: connectionsPage },
  pageAt({
    path: `${PATH}/:id/revoke`,
    send: 'self.write',
    post: async (visit, { id }) => {
      const { client_name: name } = await shown(visit.call('POST /connections/{id}/revoke', { path: { id } }))
      return goDone(visit, `${visit.base}${PATH}`, 'done', `Connection of “${name}” ended.`)
    },
  }),
]

async function connectionsPage(visit: DashboardContext): Promise<Response> {
  const { rows } = await answeredRows(visit.call('GET /connections', { query: { limit: MOST_SHOWN } }))
  const lead = html`Apps and agents that people connected to this account by signing in at <code>${visit.parts.publicUrl}/connect</code>.`
  const list =
    rows.length === 0
      ? html`<div class="empty"><p>No connections yet. Add the address above to a client and sign in.</p></div>`
      : dataTable({ caption: 'Connections', columns: columnsFor(visit), rows })
  return developerPage(visit, { title: 'Connections', lead }, html`${list}${howToConnect(visit.parts.publicUrl)}`)
}

function howToConnect(publicUrl: string): Page {
  const cards = signInConfigurations(publicUrl).map(
    ({ client, place, text }) =>
      html`<section class="card configuration" aria-label="${client}"><h3>${client}</h3><p class="hint">In ${place}</p>${copyable(text, `Configuration for ${client}`)}</section>`,
  )
  return html`<h2 class="above-card">Connect a client</h2><p class="lead">${SIGN_IN_NOTE}</p>${cards}`
}

function columnsFor(visit: DashboardContext): Column<Connection>[] {
  return [
    { words: 'Client', cell: clientCell },
    { words: 'Right', cell: ({ right }) => valueTitle(right) },
    { words: 'Connected by', cell: ({ allowed_by }) => allowed_by },
    { words: 'Since', cell: ({ created_at }) => moment(visit, created_at) },
    { words: 'Last used', cell: ({ last_used_at }) => moment(visit, last_used_at) },
    {
      words: 'State',
      cell: ({ id, status, client_name: about }) =>
        status === 'active'
          ? buttonForm(visit, { path: `${PATH}/${id}/revoke`, words: 'End', look: 'danger', about })
          : badge(status),
    },
  ]
}

/** Shows a client and whether its identity is proven: it chooses its own name, so only a verified domain proves it. */
function clientCell({ client_name, client_domain, returns_to }: Connection): Page {
  const who = client_domain ? `Verified: ${client_domain}` : `Not verified; returns to ${returns_to}`
  return html`${client_name}<br><span class="hint">${who}</span>`
}
