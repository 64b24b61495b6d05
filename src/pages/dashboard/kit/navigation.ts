import { html } from 'hono/html'
import type { Page } from '../../parts/document.ts'
import type { Manageable } from './catalogue.ts'
import type { Visit } from './visit.ts'
import { pluralTitle } from './words.ts'

/** A place in the menu: the first part of its address below the account, and its words where those do not follow from it. */
type Place = string | readonly [path: string, words: string]

interface Group {
  words: string
  places: Place[]
}

/** The menu. What has a list and is not named here is added under More. */
const GROUPS: Group[] = [
  {
    words: 'Shop',
    places: [
      ...['products', 'orders', 'customers', 'subscriptions', 'invoices'],
      ['recover', 'Recover'],
      ...['discounts', 'checkout_links', 'reviews'],
    ],
  },
  { words: 'Content', places: ['blog_posts', 'experiences', 'files', 'legal_pages', 'forms', 'sites'] },
  {
    words: 'Audience',
    places: [['social', 'Social calendar'], 'social_posts', 'social_accounts', 'social_comments', 'tags'],
  },
  {
    words: 'Agents',
    places: [
      ['ask', 'Ask'],
      ['plans', 'Plans'],
      ['background_programs', 'Background programs'],
      ['runs', 'Runs'],
      ['playground', 'Playground'],
      'tasks',
      'task_runs',
      'event_sources',
    ],
  },
  { words: 'Company', places: ['formations'] },
  { words: 'Developers', places: [['developers', 'Developers']] },
  { words: 'Settings', places: [['settings', 'Settings']] },
]

/** Lists that another page shows: prices with their product, lines with their order. */
const ELSEWHERE = new Set([
  'price_variants',
  'order_items',
  'refunds',
  'blog_categories',
  'form_submissions',
  'formation_documents',
  'webhook_endpoints',
  'webhook_events',
  'event_types',
  'social_deliveries',
  'api_tokens',
  'api_requests',
  'webhook_attempts',
  'credit_entries',
  'account_exports',
  'event_log',
  'invitations',
  'connections',
])

/** The menu of an account's dashboard. */
export function navigation(visit: Visit): Page {
  const { base, path, catalogue, pages } = visit
  const here = path.slice(base.length + 1).split('/')[0] ?? ''
  const exists = (place: string) => pages.has(place) || Boolean(catalogue.at(place)?.list)
  const link = (place: Place) => {
    const [address, words] = typeof place === 'string' ? [place, pluralTitle(place)] : place
    if (!exists(address)) return ''
    return html`<li><a class="nav-link" href="${base}/${address}"${address === here ? html` aria-current="page"` : ''}>${words}</a></li>`
  }
  const groups = [...GROUPS, { words: 'More', places: others(catalogue.all()) }].map(({ words, places }) => ({
    words,
    links: places.map(link).filter((one) => one !== ''),
  }))
  return html`<nav class="nav" aria-label="Dashboard"><ul><li><a class="nav-link" href="${base}"${here === '' ? html` aria-current="page"` : ''}>Home</a></li></ul>
${groups.filter(({ links }) => links.length > 0).map(({ words, links }) => html`<h2>${words}</h2><ul>${links}</ul>`)}</nav>`
}

function others(all: Manageable[]): string[] {
  const named = new Set(
    GROUPS.flatMap(({ places }) => places.map((place) => (typeof place === 'string' ? place : place[0]))),
  )
  return all
    .filter(
      ({ list, path, noun }) =>
        list?.kind === 'list' && noun.prefix !== null && !named.has(path) && !ELSEWHERE.has(path),
    )
    .filter(({ list }) => list!.path === `/${list!.noun.plural}`)
    .map(({ path }) => path)
}
