import { html } from 'hono/html'
import { type RoleRight, rolesNeeded } from '../../../contract/declarations/role-rights.ts'
import type { Page } from '../../parts/markup.ts'
import type { Manageable } from './catalogue.ts'
import { type DashboardContext, may, type PageRights } from './visit.ts'

/** The rights by path. The first match counts, so longer paths come first. */
const PAGE_RIGHTS: readonly PageRights[] = [
  { path: '/search', see: 'account.read' },
  { path: '/reports', see: 'sales.read' },
  { path: '/recover/charge', see: 'sales.write' },
  { path: '/recover', see: 'sales.read', send: 'sales.write' },
  { path: '/ask', see: 'account.spend' },
  { path: '/playground', see: 'programs.run' },
  { path: '/runs', see: 'programs.read' },
  { path: '/plans', see: 'programs.read', send: 'programs.write' },
  { path: '/developers/tokens/*', see: 'self.read', send: 'self.write' },
  { path: '/developers/tokens', see: 'self.read', send: 'self.token' },
  { path: '/developers/connections', see: 'self.read', send: 'self.write' },
  { path: '/developers/webhooks/new', see: 'developers.write' },
  { path: '/developers/*', see: 'developers.read', send: 'developers.write' },
  { path: '/webhook_events', see: 'developers.read', send: 'developers.write' },
  { path: '/files/upload', see: 'content.write' },
  { path: '/event_sources/new', see: 'automation.write' },
  { path: '/tasks/*/run', see: 'automation.write' },
  { path: '/task_runs/*/answer', see: 'automation.write' },
  { path: '/customers/*/set-tags', see: 'customers.write' },
  { path: '/orders/*/refund', see: 'sales.refund' },
  { path: '/reviews/*/published', see: 'products.write' },
  { path: '/forms/*/answers', see: 'customers.read' },
  { path: '/settings/members/invitations', see: 'people.write' },
  { path: '/settings/members/refunds', see: 'settings.write' },
  { path: '/settings/members/*/role', see: 'people.write' },
  { path: '/settings/members/*/remove', see: 'self.write' },
  { path: '/settings/members', see: 'account.read', send: 'people.write' },
  { path: '/settings/account', see: 'account.read', send: 'account.write' },
  { path: '/settings/branding', see: 'account.read', send: 'account.write' },
  { path: '/settings/tax', see: 'account.read', send: 'account.write' },
  { path: '/settings/payments/onboarding', see: 'settings.write' },
  { path: '/settings/payments/*/onboarded', see: 'settings.write' },
  { path: '/settings/payments/*/remove', see: 'settings.write' },
  { path: '/settings/payments', see: 'settings.read', send: 'settings.write' },
  { path: '/settings/connections', see: 'settings.read' },
  { path: '/settings/model', see: 'settings.read', send: 'settings.write' },
  { path: '/settings/email', see: 'settings.read' },
  { path: '/settings/letters', see: 'account.read', send: 'self.write' },
  { path: '/settings/x402', see: 'wallet.read', send: 'wallet.write' },
  { path: '/settings/credits', see: 'account.read' },
  { path: '/settings/storage', see: 'account.read' },
  { path: '/settings/test-accounts/*', see: 'self.read', send: 'self.write' },
  { path: '/settings/test-accounts', see: 'self.read', send: 'settings.write' },
  { path: '/settings/export', see: 'ownership.read', send: 'ownership.write' },
  { path: '/settings/deletion', see: 'ownership.write' },
]

type Method = 'GET' | 'POST'

/** Returns whether the person may open a page or submit a form to it. `path` is below the account's address and may have a query. */
export function mayOpen(visit: DashboardContext, path: string, method: Method = 'GET'): boolean {
  const needed = neededFor(visit, path, method)
  return needed === null || may(visit, needed)
}

/** Returns the link `leads` if the person may open the page or submit a form to it, otherwise an empty string. */
export function ifOpen(visit: DashboardContext, path: string, leads: Page, method: Method = 'GET'): Page | '' {
  return mayOpen(visit, path, method) ? leads : ''
}

/** Returns the reason why the person may not open a page or submit a form to it, or null if they may. */
export function refusalFor(visit: DashboardContext, path: string, method: Method): string | null {
  const needed = neededFor(visit, path, method)
  if (needed === null || may(visit, needed)) return null
  return `${rolesNeeded(needed)}; yours is ${visit.membership.role}. Ask an owner or an admin of the account.`
}

/** Returns the right that a page needs, or null if only the operations that the page calls check rights. */
function neededFor(
  { catalogue, parts: { features } }: DashboardContext,
  path: string,
  method: Method,
): RoleRight | null {
  const parts = (path.split(/[?#]/)[0] ?? '').split('/').slice(1)
  const within = (all: readonly PageRights[]) => all.find((one) => begins(parts, one.path.split('/').slice(1)))
  const place = within(PAGE_RIGHTS) ?? within(features.flatMap(({ rights = [] }) => rights))
  if (place) return method === 'POST' ? (place.send ?? place.see) : place.see
  const things = catalogue.at((parts[0] ?? '').replace(/\.csv$/, ''))
  return things ? neededForThings(things, parts, method) : null
}

function begins(parts: readonly string[], pattern: readonly string[]): boolean {
  return pattern.every((part, index) => (part === '*' ? Boolean(parts[index]) : parts[index] === part))
}

/** Returns the right that a page of a resource needs, which is the right of the page's operation. */
function neededForThings(things: Manageable, [, id, action]: readonly string[], method: Method): RoleRight | null {
  const { list, retrieve, create, update, remove, actions } = things
  if (id === undefined) return (method === 'POST' ? create : (list ?? retrieve))?.needs ?? null
  if (id === 'new') return create?.needs ?? null
  // Bulk actions check their own rights; everyone who sees the list may export rows and save views.
  if (id === 'bulk' || id === 'views') return list?.needs ?? null
  if (action === undefined) return (method === 'POST' ? update?.needs : retrieve?.needs) ?? null
  if (action === 'edit') return update?.needs ?? null
  if (action === 'delete') return remove?.needs ?? null
  return actions.get(action)?.needs ?? retrieve?.needs ?? null
}

interface ButtonOptions {
  path: string
  words: string
  /** A CSS class such as `primary` or `danger`. */
  look?: string
  /** The subject of the button, for screen readers. */
  about?: string
}

/** A form with one button that acts immediately. It is empty for people without the right to submit it. */
export function buttonForm(visit: DashboardContext, { path, words, look = '', about }: ButtonOptions): Page {
  if (!mayOpen(visit, path, 'POST')) return html``
  const { base, csrf } = visit
  return html`<form class="button-form" method="post" action="${base}${path}"><input type="hidden" name="csrf" value="${csrf}"><button class="${look}">${words}${about ? html`<span class="unseen"> ${about}</span>` : ''}</button></form>`
}
