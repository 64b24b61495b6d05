import { html } from 'hono/html'
import { parse } from 'hono/utils/cookie'
import type { Page } from '../../parts/markup.ts'
import { type IconName, icon } from './icons.ts'
import { mayOpen } from './page-rights.ts'
import type { DashboardContext, MenuGroupName } from './visit.ts'
import { pluralTitle } from './words.ts'

interface MenuGroup<Name extends string = MenuGroupName | 'more'> {
  /** The name that a cookie contains while the group is open. */
  name: Name
  words: string
  places: readonly string[]
}

/** Menu entries for daily use. Entries whose page does not exist are left out. */
const TOP: readonly { place: string; picture: IconName }[] = [
  { place: '', picture: 'home' },
  { place: 'orders', picture: 'orders' },
  { place: 'products', picture: 'products' },
  { place: 'customers', picture: 'customers' },
  { place: 'subscriptions', picture: 'subscriptions' },
  { place: 'reports', picture: 'reports' },
]

/** The other menu entries, in groups that fold. Lists that are in no group are under More. */
const GROUPS: readonly MenuGroup<MenuGroupName>[] = [
  {
    name: 'selling',
    words: 'Selling',
    places: ['invoices', 'recover', 'disputes', 'discounts', 'checkout_links', 'reviews'],
  },
  { name: 'content', words: 'Content', places: ['blog_posts', 'experiences', 'files', 'legal_pages'] },
  { name: 'audience', words: 'Audience', places: ['emails', 'forms', 'tags'] },
  {
    name: 'agents',
    words: 'Agents',
    places: ['ask', 'plans', 'background_programs', 'runs', 'playground', 'tasks', 'task_runs', 'event_sources'],
  },
  {
    name: 'account',
    words: 'Account',
    places: ['settings', 'log_entries', 'developers'],
  },
]

/** Lists that are not in the menu, because another page shows them, such as prices on the page of their product. */
const ELSEWHERE = [
  'price_variants',
  'order_items',
  'refunds',
  'blog_categories',
  'form_submissions',
  'webhook_endpoints',
  'webhook_events',
  'event_types',
  'api_tokens',
  'api_requests',
  'webhook_attempts',
  'credit_entries',
  'account_exports',
  'log_entries',
  'event_log',
  'invitations',
  'connections',
]

/** Returns the address behind a menu entry. Some entries open their area's first tab, which more roles may see than the other tabs. */
function entranceOf(address: string): string {
  return address === 'developers' ? '/developers/tokens' : `/${address}`
}

/** Renders the menu of an account. A cookie stores the open groups; the group of the current page is always open. */
export function navigation(visit: DashboardContext): Page {
  const here = visit.path.slice(visit.base.length + 1).split('/')[0] ?? ''
  const open = new Set(parse(visit.incoming.header('cookie') ?? '', 'open_groups').open_groups?.split('.'))
  const own = GROUPS.map((group) => withFeatures(visit, group))
  const more: MenuGroup = { name: 'more', words: 'More', places: unlistedPaths(visit, own) }
  const top = TOP.filter(({ place }) => exists(visit, place)).map(({ place, picture }) =>
    link(visit, place, here, picture),
  )
  const groups = [...own, more]
    .map((one) => ({ ...one, places: one.places.filter((place) => exists(visit, place)) }))
    .filter(({ places }) => places.length > 0)
    .map((group) => groupOf(visit, group, { here, isOpen: open.has(`nav-${group.name}`) }))
  return html`<nav class="nav" aria-label="Dashboard"><ul>${top}</ul>${groups}</nav>`
}

function groupOf(visit: DashboardContext, group: MenuGroup, { here, isOpen }: { here: string; isOpen: boolean }): Page {
  const { name, words, places } = group
  const isHere = places.includes(here)
  return html`<details class="nav-group folds" id="nav-${name}"${isOpen || isHere ? html` open` : ''}><summary class="nav-link" data-action="click->sidebar#fold">${icon(name)}${words}</summary>
<ul>${places.map((place) => link(visit, place, here))}</ul></details>`
}

function link(visit: DashboardContext, place: string, here: string, picture?: IconName): Page {
  const to = place === '' ? visit.base : `${visit.base}/${place}`
  return html`<li><a class="nav-link" href="${to}"${place === here ? html` aria-current="page"` : ''}>${picture ? icon(picture) : ''}${labelOf(visit, place)}</a></li>`
}

/** Returns the label of the page or list at the first segment of a path. */
export function labelOf({ pages }: DashboardContext, place: string): string {
  return pages.get(place)?.find(({ path }) => path === `/${place}`)?.label ?? pluralTitle(place)
}

function exists(visit: DashboardContext, place: string): boolean {
  if (place === '') return true
  const { pages, catalogue } = visit
  return (pages.has(place) || Boolean(catalogue.at(place)?.list)) && mayOpen(visit, entranceOf(place))
}

function withFeatures({ parts }: DashboardContext, group: MenuGroup<MenuGroupName>): MenuGroup {
  const more = parts.features.flatMap(({ menu }) => menu?.[group.name] ?? [])
  return { ...group, places: [...group.places, ...more] }
}

function unlistedPaths({ catalogue, parts }: DashboardContext, groups: readonly MenuGroup[]): string[] {
  const places = [...TOP.map(({ place }) => place), ...groups.flatMap((group) => group.places)]
  const elsewhere = parts.features.flatMap((feature) => feature.elsewhere ?? [])
  const named = new Set([...places, ...ELSEWHERE, ...elsewhere])
  return catalogue
    .all()
    .filter(({ list, path, noun }) => list?.kind === 'list' && noun.prefix !== null && !named.has(path))
    .filter(({ list }) => list!.path === `/${list!.noun.plural}`)
    .map(({ path }) => path)
}
