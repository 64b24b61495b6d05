import { Parser } from 'htmlparser2'
import { Catalogue } from '../../src/pages/dashboard/kit/catalogue.ts'
import { HAND_MADE } from '../../src/pages/dashboard/pages.ts'
import type { Pipeline } from '../../src/pipeline/run.ts'
import type { Ids } from './stock.ts'

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

/** What tells a row from others: the texts and the numbers that are typed into it. */
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

/** What makes a control right that has to be filled in; null where nothing needs to be. */
function filling({ name, kind, options, value, isOptional }: Control, typed: Typed, known: Known): string | null {
  const own = ownOf(known, name, typed)
  if (value !== '') return null
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
  const before = marksIn(html, list)
  for (const typed of [MOVED, REMOVED, KEPT]) {
    const marks = marksIn(html, list)
    html = await form.press(`add ${list}`)
    const added = marksIn(html, list).find((mark) => !marks.includes(mark))
    if (added === undefined) return `${list} has no new row`
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
  return readBack(await form.open(editorOf(path, saved)), list, known)
}

/** The rows that were kept are the last ones, in their order. */
function readBack(html: string, list: string, known: Known): string | null {
  const rows = marksIn(html, list).map((mark) =>
    controlsOf(html).filter(({ name }) => name.startsWith(`${list}.${mark}.`)),
  )
  const holds = (row: Control[] = [], typed: Typed) =>
    row.some(({ name, value }) => {
      const own = ownOf({ price_variant: known.price_variant! }, name, typed)
      return [typed.text, typed.number, own].includes(value)
    })
  if (rows.some((row) => holds(row, REMOVED))) return `${list} still has what was removed`
  if (holds(rows.at(-2), KEPT) && holds(rows.at(-1), MOVED)) return null
  return `${list} was not saved in its order: ${JSON.stringify(rows.map((row) => row.map(({ value }) => value)))}`
}

/** What is typed where nothing is yet, in the controls whose names begin so. */
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

/** Where what was saved can be changed again. */
function editorOf(path: string, saved: string): string {
  const page = saved.replace(/\?.*$/, '')
  return /\/(new|edit)(\?|$)/.test(path) ? `${page}/edit` : page
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
  const byHand = HAND_MADE.flatMap(({ path, get }) => (get && !path.includes(':') ? [path] : []))
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

/** What the rules of some fields ask for. `prices` are two that can be sold together. */
export function knownValues([first, second]: readonly [string, string]): Known {
  return {
    price_variant: ({ text }: Typed) => (text === MOVED.text ? first : second),
    ...ADDRESS,
    'tax_rates.country': ({ text }: Typed) => (text === MOVED.text ? 'DE' : 'FR'),
    'tax_rates.name': ({ text }: Typed) => text,
    media: '',
    downloads: '',
    ends_at: '2099-01-01T11:00',
    naics_code: '541511',
    phone: '+1 307 555 0100',
  }
}
