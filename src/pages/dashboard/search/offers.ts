import { foldedWords } from '../../../records/search/fold.ts'
import { developerPlaces } from '../developers/tabs.ts'
import type { Manageable } from '../kit/catalogue.ts'
import { labelOf } from '../kit/navigation.ts'
import { type DashboardContext, mayCall, type SearchedPage } from '../kit/visit.ts'
import { pluralTitle, title } from '../kit/words.ts'
import { settingsPlaces } from '../settings/tabs.ts'

/** A link in the search results to a page of the dashboard, or to a form for a new resource. */
export interface SearchLink {
  words: string
  detail: string | null
  address: string
}

/** Other words that people use to search for a resource, by the name of its noun. */
const ALSO: Record<string, string> = {
  blog_post: 'write a blog article',
  customer: 'add buyer lead',
  file: 'upload picture video',
  discount: 'coupon code voucher',
  invoice: 'bill',
  task: 'automation agent',
  checkout_link: 'payment link',
}

const MAKING = 'new create add make'

/** Hand-written pages that are not lists, with other words that find them. */
const HAND_MADE = [
  ['', 'overview start'],
  ['ask', 'question assistant'],
  ['plans', 'approve apply'],
  ['runs', 'programs log'],
  ['background_programs', ''],
  ['playground', 'program ruby console'],
  ['you', 'password passkey'],
] as const satisfies readonly SearchedPage[]

/** Returns the pages that match the query. Each word of the query must be the beginning of a word of the page. */
export function placesFor(visit: DashboardContext, query: string): SearchLink[] {
  const { base, catalogue, pages, parts } = visit
  const handMade = [...HAND_MADE, ...parts.features.flatMap(({ searchedPages = [] }) => searchedPages)]
  const made = handMade
    .filter(([place]) => pages.has(place))
    .map(([place, also]) => ({
      offer: { words: labelOf(visit, place), detail: null, address: place === '' ? base : `${base}/${place}` },
      also,
    }))
  const lists = catalogue
    .all()
    .filter(hasList)
    .map(({ path, noun }) => ({
      offer: { words: pluralTitle(path), detail: null, address: `${base}/${path}` },
      also: alsoCalled(visit, noun.name),
    }))
  const tabs = [...settingsPlaces(visit), ...developerPlaces()].map(({ path, words, group }) => ({
    offer: { words, detail: group, address: `${base}${path}` },
    also: group,
  }))
  return matching([...made, ...lists, ...tabs], query)
}

export function actionsFor(visit: DashboardContext, query: string): SearchLink[] {
  const { base, catalogue } = visit
  const made = catalogue.all().flatMap(({ path, noun, create }) =>
    create && noun.prefix !== null && mayCall(visit, create)
      ? [
          {
            offer: { words: `New ${inText(title(noun.name))}`, detail: null, address: `${base}/${path}/new` },
            also: `${MAKING} ${alsoCalled(visit, noun.name)}`,
          },
        ]
      : [],
  )
  return matching(made, query)
}

function alsoCalled({ parts }: DashboardContext, noun: string): string {
  return ALSO[noun] ?? parts.features.map((feature) => feature.alsoCalled?.[noun]).find(Boolean) ?? ''
}

function hasList({ list, noun, path }: Manageable): boolean {
  return list?.kind === 'list' && noun.prefix !== null && list.path === `/${path}`
}

/** Returns the links whose words begin with the query's words. Matches of the title come before matches of other words. */
function matching(all: { offer: SearchLink; also: string }[], query: string): SearchLink[] {
  const wanted = foldedWords(query)
  if (wanted.length === 0) return []
  const begins = (words: string[]) => wanted.every((begun) => words.some((word) => word.startsWith(begun)))
  const named = all.filter(({ offer }) => begins(foldedWords(offer.words)))
  const known = all.filter((one) => !named.includes(one) && begins(foldedWords(`${one.offer.words} ${one.also}`)))
  return [...named, ...known].map(({ offer }) => offer)
}

/** Returns a title for use inside a sentence: `Blog post` becomes `blog post`, and `API token` stays. */
function inText(words: string): string {
  return /^.[A-Z]/.test(words) ? words : words.charAt(0).toLowerCase() + words.slice(1)
}
