import { Parser } from 'htmlparser2'
import { Catalogue } from '../../src/pages/dashboard/kit/catalogue.ts'
import { HAND_MADE } from '../../src/pages/dashboard/pages.ts'
import type { Pipeline } from '../../src/pipeline/run.ts'
import { priceForSale } from './sell.ts'
import type { Shop } from './shop.ts'
import type { Ids } from './stock.ts'
import { words } from './words.ts'

/** One control of a form that somebody can fill in. */
export interface Control {
  name: string
  kind: 'choice' | 'email' | 'moment' | 'number' | 'text' | 'url'
  /** Values to choose from. */
  options: string[]
  value: string
  isOptional: boolean
}

/** A list of entries in a form, by the words of its buttons: `add members`. */
export interface RowList {
  /** The page of the form. */
  path: string
  list: string
}

/** Lists whose entries can be added to on a page. */
export function rowListsOn(path: string, html: string): RowList[] {
  const names = [...html.matchAll(/<button [^>]*name="change" value="add ([^"]+)"/g)].map(([, list]) => list!)
  return [...new Set(names)].map((list) => ({ path, list }))
}

/** The controls of a page, in their order. */
export function controlsOf(html: string): Control[] {
  const controls = new Map<string, Control & { id: string }>()
  const optional = new Set<string>()
  let [label, select, textarea] = ['', '', '']
  const parser = new Parser({
    onopentag(tag, { id = '', name = '', type = 'text', value = '', inputmode, ...rest }) {
      if (tag === 'label') label = rest.for ?? ''
      if (tag === 'span' && rest.class === 'optional' && label !== '') optional.add(label)
      if (tag === 'option' && select !== '') {
        const control = controls.get(select)!
        control.options.push(value)
        if ('selected' in rest) control.value = value
      }
      const isTyped = tag === 'input' && (type in KINDS || type === 'text')
      if (!(isTyped || tag === 'select' || tag === 'textarea') || name === '') return
      const kind = tag === 'select' ? 'choice' : inputmode ? 'number' : (KINDS[type] ?? 'text')
      controls.set(name, { id, name, kind, options: [], value, isOptional: false })
      if (tag === 'select') select = name
      if (tag === 'textarea') textarea = name
    },
    ontext(text) {
      if (textarea !== '') controls.get(textarea)!.value += text
    },
    onclosetag(tag) {
      if (tag === 'label') label = ''
      if (tag === 'select') select = ''
      if (tag === 'textarea') textarea = ''
    },
  })
  parser.end(html)
  return [...controls.values()].map(({ id, ...control }) => ({
    ...control,
    value: control.value.trim(),
    isOptional: optional.has(id),
  }))
}

const KINDS: Readonly<Record<string, Control['kind']>> = { email: 'email', 'datetime-local': 'moment', url: 'url' }

/** Texts and numbers that are typed into one row alone. */
interface Typed {
  text: string
  number: string
}

const [MOVED, REMOVED, KEPT, OTHER] = ['Moves', 'Goes', 'Stays', 'Other'].map((text, index) => ({
  text: `${text} here`,
  number: String(21 + index),
})) as [Typed, Typed, Typed, Typed]

/** Values for controls that take fewer than their kind says, by the last part of their names. */
export type Known = Readonly<Record<string, string | ((typed: Typed) => string)>>

/** A valid value for a control that has to be filled in; null for any other. */
function filling({ name, kind, options, value, isOptional }: Control, typed: Typed, known: Known): string | null {
  const own = ownOf(known, name, typed)
  // Pictures of texts are not needed.
  if (value !== '' || name.startsWith('picture-')) return null
  if (own !== undefined) return own || null
  if (isOptional) return null
  if (kind === 'choice') return options.includes('') ? (options.find((option) => option !== '') ?? null) : null
  const right = { email: 'ada@example.com', moment: '2099-01-01T10:00', url: 'https://example.com', ...typed }
  return right[kind]
}

/** By the last two parts of a name, or the last one. */
function ownOf(known: Known, name: string, typed: Typed): string | undefined {
  const parts = name.split('.').filter((part) => !/^\d+$/.test(part))
  const own = known[parts.slice(-2).join('.')] ?? known[parts.at(-1)!]
  return typeof own === 'function' ? own(typed) : own
}

/** A form in front of somebody, with a browser or without. */
export interface Filler {
  /** Opens a page; what it is as HTML. */
  open(path: string): Promise<string>
  /** Presses a button that changes the rows. */
  press(change: string): Promise<string>
  fill(values: Readonly<Record<string, string>>): Promise<void>
  /** Saves: the address that this leads to, or null where the form is shown again. */
  save(): Promise<{ saved: string | null; html: string }>
}

/** Uses all buttons of a list, saves, and reads back: what is wrong, or null. */
export async function useRows(form: Filler, { path, list }: RowList, known: Known): Promise<string | null> {
  let html = await form.open(path)
  // A list that takes three names begins with an empty one, and has no room for three more.
  const before = list === 'name_options' ? [] : marksIn(html, list)
  const marks = [...before]
  for (const typed of [MOVED, REMOVED, KEPT]) {
    if (marks.length === marksIn(html, list).length) html = await form.press(`add ${list}`)
    const added = marksIn(html, list).find((mark) => !marks.includes(mark))
    if (added === undefined) return `${list} has no new row`
    marks.push(added)
    await form.fill(fillings(html, typed, known, `${list}.${added}.`))
  }
  const [moved, removed, kept] = marksIn(html, list).slice(-3) as [string, string, string]
  html = await form.press(`remove ${list} ${removed}`)
  if (marksIn(html, list).includes(removed)) return `${list} keeps a row that was removed`
  html = await form.press(`${html.includes(`value="down ${list} ${moved}"`) ? 'down' : 'later'} ${list} ${moved}`)
  const now = marksIn(html, list)
  if (now.join() !== [...before, kept, moved].join()) return `${list} has the rows ${now} after a move`
  await form.fill(fillings(html, OTHER, known))
  const { saved, html: after } = await form.save()
  if (saved === null) return `${list} is not saved: ${problemsOn(after)}`
  const page = saved.replace(/\?.*$/, '')
  const again = /\/(new|edit)(\?|$)/.test(path) ? await form.open(`${page}/edit`) : await form.open(page)
  return marksIn(again, list).length > 0 ? readBack(again, list) : readPage(await form.open(page), list, known)
}

/** The rows that were kept are the last ones, in their order. */
function readBack(html: string, list: string): string | null {
  const rows = marksIn(html, list).map((mark) =>
    controlsOf(html)
      .filter(({ name }) => name.startsWith(`${list}.${mark}.`))
      .map(({ value }) => value),
  )
  const holds = (row: string[] = [], { text, number }: Typed) =>
    row.some((value) => value === text || (value !== '' && Number(value) === Number(number)))
  if (rows.some((row) => holds(row, REMOVED))) return `${list} still has what was removed`
  return holds(rows.at(-2), KEPT) && holds(rows.at(-1), MOVED) ? null : `${list} was not saved in its order: ${rows}`
}

/** The same of the page of what was saved, where no form shows its rows again. */
function readPage(html: string, list: string, known: Known): string | null {
  const said = words(html)
  const placeOf = (typed: Typed) =>
    Math.max(said.indexOf(typed.text), said.indexOf(ownOf(known, 'price_variant', typed)!))
  const [stays, moves] = [placeOf(KEPT), placeOf(MOVED)]
  if (said.includes(REMOVED.text)) return `${list} still has what was removed`
  return stays >= 0 && stays < moves ? null : `${list} was not saved in its order: ${said}`
}

/** Values for the empty controls whose names begin with a prefix. */
function fillings(html: string, typed: Typed, known: Known, prefix = ''): Record<string, string> {
  const entries = controlsOf(html).flatMap((control) => {
    const value = control.name.startsWith(prefix) ? filling(control, typed, known) : null
    return value === null ? [] : [[control.name, value]]
  })
  return Object.fromEntries(entries)
}

/** The product's editor calls the rows of `price` otherwise. */
export function marksIn(html: string, list: string): string[] {
  const name = list === 'price' ? 'price_rows' : `${list}.#`
  const [, marks = ''] = new RegExp(`name="${name.replaceAll('.', '\\.')}" value="([^"]*)"`).exec(html) ?? []
  return marks.split(' ').filter(Boolean)
}

function problemsOn(html: string): string {
  const [, list = 'no problem is shown'] = /id="problems">([\s\S]*?)<\/ul>/.exec(html) ?? []
  return list.replaceAll(/<[^>]+>/g, ' ').trim()
}

/** The pages of the dashboard that have forms, in one account. */
export function formPagesOf(base: string, pipeline: Pipeline, ids: Ids): string[] {
  const made = new Catalogue(pipeline).all().flatMap(({ path, noun, create, retrieve, update, actions }) => {
    const id = ids[noun.name]
    const own = retrieve?.addressed && id ? [...(update ? ['edit'] : []), ...actions.keys()] : []
    return [...(create ? [`/${path}/new`] : []), ...own.map((action) => `/${path}/${id}/${action}`)]
  })
  const catalogue = new Map(new Catalogue(pipeline).all().map(({ path, noun }) => [path, ids[noun.name]]))
  const byHand = HAND_MADE.flatMap(({ path, get }) => {
    const id = catalogue.get(path.split('/')[1]!)
    const own = id ? path.replace(/:id\b/, id) : path
    return get && !own.includes(':') ? [own] : []
  })
  return [...new Set([...byHand, ...made])].map((path) => base + path)
}

/** All lists of entries in the forms of an account; `get` opens a page. */
export async function allRowLists(pages: string[], get: (path: string) => Promise<string>): Promise<RowList[]> {
  const found: RowList[] = []
  const open = [...pages]
  for (const path of open) {
    const html = await get(path)
    found.push(...rowListsOn(path, html))
    // A form may come in kinds, each at an address of its own.
    for (const [, link] of html.matchAll(/href="([^"]+\?kind=\w+)"/g))
      if (link!.startsWith(`${path}?`)) open.push(link!)
  }
  return found
}

const US_ADDRESS = { country: 'USA', state: 'WY', postal_code: '82001' }
const ADDRESS: Known = Object.fromEntries(
  ['address', 'mailing_address'].flatMap((name) =>
    Object.entries(US_ADDRESS).map(([part, value]) => [`${name}.${part}`, value]),
  ),
)

/** Values for fields whose rules ask for more than their kind. `prices` are two that can be sold together, of products with these names. */
export function knownValues({ list }: RowList, prices: Readonly<Record<string, string>>): Known {
  const byText = (values: Readonly<Record<string, string>>, other: string) => (typed: Typed) =>
    values[typed.text] ?? other
  return {
    ...ADDRESS,
    price_variant: byText(prices, prices[KEPT.text]!),
    // The owners of a company own all of it.
    ownership_percent: list === 'members' ? byText({ [OTHER.text]: '40' }, '30') : '100',
    'tax_rates.country': byText({ [MOVED.text]: 'DE' }, 'FR'),
    'tax_rates.name': ({ text }) => text,
    ends_at: '2099-01-01T11:00',
    naics_code: '541511',
    phone: '+1 307 555 0100',
    // Files are chosen by their boxes.
    ...{ media: '', downloads: '', files: '' },
  }
}

/** Two prices for the lines of a cart. */
export async function pricesOf(shop: Shop): Promise<Record<string, string>> {
  const names = [KEPT.text, MOVED.text]
  const prices = await Promise.all(names.map((name) => priceForSale(shop, {}, { name })))
  return Object.fromEntries(names.map((name, index) => [name, prices[index]!.id]))
}
