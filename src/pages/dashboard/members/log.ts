import { html } from 'hono/html'
import type { Page } from '../../parts/document.ts'
import { type Viewed, view } from '../kit/view.ts'
import { valueTitle } from '../kit/words.ts'

type Entry = Viewed<'log_entry'>

/** Who did what, for owners and admins. */
export const logView = view('log_entry', {
  columns: ['created_at', 'who', 'did', 'resource_id', 'fields'],
  cells: {
    who: { title: 'Who', show: (_, entry) => who(entry) },
    did: { title: 'What', show: (_, entry) => did(entry) },
  },
  lead: 'Who changed what: people, agents, plans, and the service itself. Kept for 12 months; what buyers do is in the lists of orders and customers.',
  title: ({ operation, kind }) => valueTitle(operation ?? kind),
})

function who({ user_name, caller_name, caller_kind, approver_name }: Entry): Page {
  const name =
    user_name ?? (caller_kind === 'job' || caller_kind === 'provider' ? 'The service' : 'Somebody who has left')
  return html`${name}${caller_name === null ? '' : html`<span class="person-address">by ${caller_name}</span>`}${approver_name === null ? '' : html`<span class="person-address">applied by ${approver_name}</span>`}`
}

function did({ operation, changes, plan, kind }: Entry): Page {
  const counts = Object.entries(changes).map(([type, count]) => (count === 1 ? type : `${count} × ${type}`))
  const words = operation ? valueTitle(operation) : counts.length > 0 ? counts.join(', ') : valueTitle(kind)
  return html`${words}${plan === null ? '' : html`<span class="person-address">${plan}</span>`}`
}
