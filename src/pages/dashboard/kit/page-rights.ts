import { html } from 'hono/html'
import { type RoleRight, rolesNeeded } from '../../../contract/declarations/role-rights.ts'
import type { Page } from '../../parts/markup.ts'
import type { Manageable } from './catalogue.ts'
import { type DashboardContext, type DashboardPage, may } from './visit.ts'

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
function neededFor({ catalogue, pages }: DashboardContext, path: string, method: Method): RoleRight | null {
  const parts = (path.split(/[?#]/)[0] ?? '').split('/').slice(1)
  const page = pages.get(parts[0] ?? '')?.find((one) => answers(one, parts, method))
  const declared = method === 'POST' ? (page?.send ?? page?.see) : page?.see
  if (declared) return declared
  const things = catalogue.at((parts[0] ?? '').replace(/\.csv$/, ''))
  return things ? neededForThings(things, parts, method) : null
}

function answers({ path, get, post, files }: DashboardPage, parts: readonly string[], method: Method): boolean {
  const pattern = path.split('/').slice(1)
  return (
    Boolean(method === 'POST' ? (post ?? files) : get) &&
    pattern.length === parts.length &&
    pattern.every((part, index) => (part.startsWith(':') ? parts[index] !== '' : parts[index] === part))
  )
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

/** Renders a form with one button that acts immediately, or nothing for people without the right to submit it. */
export function buttonForm(visit: DashboardContext, { path, words, look = '', about }: ButtonOptions): Page {
  if (!mayOpen(visit, path, 'POST')) return html``
  const { base, csrf } = visit
  return html`<form class="button-form" method="post" action="${base}${path}"><input type="hidden" name="csrf" value="${csrf}"><button class="${look}">${words}${about ? html`<span class="unseen"> ${about}</span>` : ''}</button></form>`
}
