import { html } from 'hono/html'
import type { Field } from '../../../contract/declarations/field.ts'
import { plainAmount } from '../../../format/money.ts'
import { inWords } from '../../../format/names.ts'
import { optionTags, type Page } from '../../parts/markup.ts'
import { rowsIn, type Values } from '../kit/call.ts'
import { choicesOf, type FieldKind, isPairs, kindOf } from '../kit/fields.ts'
import { localInput } from '../kit/times.ts'
import { currencyOf } from '../kit/value.ts'
import type { DashboardContext } from '../kit/visit.ts'
import { nameOf, valueTitle } from '../kit/words.ts'
import { shapeOf } from './control-kind.ts'
import { editor } from './editor.ts'
import { filesInput, pictureInput } from './file-inputs.ts'
import { knownValues } from './known-values.ts'
import { pictureForText } from './text-pictures.ts'

/** The maximum number of options for a reference. If there are more, people paste the id. */
const MOST_OFFERED = 100

/** Returns the text that an input shows for a value. If it is submitted unchanged, the value stays the same. */
export function inputText(visit: DashboardContext, { spec }: Field, value: unknown, values: Values): string {
  if (value === null || value === undefined) return ''
  switch (kindOf(spec)) {
    case 'money':
      return plainAmount(Number(value), currencyOf(values, visit))
    case 'moment':
      return localInput(String(value), visit.account.timezone)
    case 'reference':
      return idOf(value)
    case 'references':
      return (value as unknown[]).map(idOf).join('\n')
    case 'texts':
      return (value as unknown[]).join('\n')
    case 'structure':
    case 'collection':
      return isPairs(spec.json) ? pairsText(value as Values) : JSON.stringify(value, null, 2)
    default:
      return String(value)
  }
}

function idOf(value: unknown): string {
  return typeof value === 'object' && value !== null ? String((value as Values).id) : String(value)
}

function pairsText(value: Values): string {
  return Object.entries(value)
    .map(([key, one]) => `${key}: ${one}`)
    .join('\n')
}

interface InputOptions {
  visit: DashboardContext
  field: Field
  name: string
  id: string
  text: string
  described: Page
  label: string
  sent: URLSearchParams | null
}

export async function inputOf({ visit, field, name, id, text, described, label, sent }: InputOptions): Promise<Page> {
  const { spec } = field
  const most = spec.json?.maxLength === undefined ? '' : html` maxlength="${Number(spec.json.maxLength)}"`
  const basics = html`id="${id}" name="${name}"${described}`
  if (spec.secret) return html`<input type="password" autocomplete="new-password" spellcheck="false"${most} ${basics}>`
  const known = knownValues(visit, name.replace(/^.*\./, ''), field)
  if (known) return knownSelect(basics, text, field, known)
  switch (kindOf(spec)) {
    case 'flag':
      return select(basics, text, spec.required ? [] : [['', 'Not set']], [
        ['true', 'Yes'],
        ['false', 'No'],
      ])
    case 'choice':
      return select(
        basics,
        text,
        emptyChoice(field),
        choicesOf(spec).map((value) => [value, valueTitle(value)]),
      )
    case 'moment':
      return html`<input type="datetime-local" step="1" value="${text}" ${basics}>`
    case 'money':
      return html`<input type="text" inputmode="decimal" autocomplete="off" value="${text}" ${basics}>`
    case 'number':
      return html`<input type="text" inputmode="numeric" autocomplete="off" value="${text}" ${basics}>`
    case 'reference':
      return reference(visit, field, text, basics)
    case 'email':
      return html`<input type="email" autocomplete="off" value="${text}" ${basics}>`
    case 'address':
      return name.endsWith('image_url')
        ? pictureInput(visit, { name, id, text, described, label })
        : html`<input type="url" value="${text}"${most} ${basics}>`
    case 'long':
      return html`<textarea rows="${text.length > 600 || Number(spec.json?.maxLength) > 20_000 ? 10 : 4}"${most} ${basics}>
${text}</textarea>`
    case 'rich':
      return editor({ text, basics, label: name, picture: await pictureForText(visit, name, sent) })
    case 'references':
      return references({ visit, field, name, id, text, described, label, sent }, basics)
    case 'texts':
    case 'structure':
    case 'collection':
      return html`<textarea rows="${Math.min(14, Math.max(3, text.split('\n').length + 1))}" spellcheck="false" ${basics}>
${text}</textarea>`
    default:
      return html`<input type="text" value="${text}"${most} ${basics}>`
  }
}

function emptyChoice({ spec }: Field): [string, string][] {
  if (spec.required) return [['', 'Choose…']]
  if (spec.relation) return [['', 'None']]
  return [['', spec.nullable ? valueTitle(spec.nullMeans ?? 'none') : 'Not set']]
}

/** Renders a select of known values. The current value is added to the options if it is not among them. */
function knownSelect(basics: Page, text: string, { spec }: Field, known: [string, string][]): Page {
  const none: [string, string][] = spec.required
    ? []
    : [['', spec.nullable ? valueTitle(spec.nullMeans ?? 'none') : 'Default']]
  const other: [string, string][] = text === '' || known.some(([value]) => value === text) ? [] : [[text, text]]
  return select(basics, text, [...none, ...other], known)
}

function select(basics: Page, text: string, first: [string, string][], values: [string, string][]): Page {
  return html`<select ${basics}>${optionTags([...first, ...values], text)}</select>`
}

async function reference(visit: DashboardContext, field: Field, text: string, basics: Page): Promise<Page> {
  const offers = await offersOf(visit, field, text === '' ? [] : [text])
  if (offers) return select(basics, text, emptyChoice(field), offers)
  return html`<input type="text" value="${text}" autocomplete="off" spellcheck="false" ${basics}>`
}

async function references(options: InputOptions, basics: Page): Promise<Page> {
  const { visit, field, text } = options
  if (field.spec.relation?.noun === 'file') return filesInput(visit, options)
  return (
    (await checksOf(options)) ??
    html`<textarea rows="3" spellcheck="false" placeholder="IDs, one a line" ${basics}>
${text}</textarea>`
  )
}

const HINTS: Partial<Record<FieldKind, string>> = {
  texts: 'One per line.',
}

/** Returns the first clause of a description, because the rest is about the API. Choices keep the whole text. */
function relevantDescription(description: string, kind: FieldKind): string {
  return kind === 'choice' ? description : description.split(/;|\. /)[0]!
}

/** Replaces the values in a description with their labels: `secret: for buyers only` becomes `Secret: for buyers only`. */
function withValueTitles(description: string, values: string[]): string {
  return description.replaceAll(/(^|; |\. )([\w-]+):/g, (said, before: string, value: string) => {
    if (!values.includes(value)) return said
    return `${before && '. '}${valueTitle(value)}:`
  })
}

function structureHint(spec: Field['spec']): string {
  if (isPairs(spec.json)) return 'One per line, such as campaign: spring.'
  return shapeOf({ spec } as Field) ? '' : 'As JSON.'
}

export function hintOf(visit: DashboardContext, { spec }: Field): string {
  const kind = kindOf(spec)
  // The rich-text editor shows its own hint.
  if (kind === 'rich') return ''
  const how = kind === 'structure' ? structureHint(spec) : HINTS[kind]
  const unit = kind === 'money' || spec.unit === undefined || spec.unit === 'units' ? '' : `In ${spec.unit}. `
  const zone = kind === 'moment' ? `In the time zone ${visit.account.timezone.replaceAll('_', ' ')}. ` : ''
  if (isPairs(spec.json)) return `For your own programs. ${how ?? ''}`.trim()
  const told = withValueTitles(relevantDescription(spec.description, kind), choicesOf(spec))
  const said = told.replaceAll(/\b[a-z]+(_[a-z0-9]+)+\b/g, (name) => inWords(name))
  return `${said}. ${unit}${zone}${how ?? ''}`.trim()
}

type ReferenceOption = [id: string, words: string]

/** Returns the options, or null if there are none, if there are too many, or if a chosen resource is not among them. */
async function offersOf(visit: DashboardContext, { spec }: Field, chosen: string[]): Promise<ReferenceOption[] | null> {
  const things = visit.catalogue.of(spec.relation!.noun)
  if (!things?.list || things.list.path !== `/${things.path}`) return null
  const ofProduct = things.list.expandable && things.noun.fields.product?.spec.relation?.expandable
  const query = { limit: MOST_OFFERED, ...(ofProduct && { expand: ['product'] }) }
  const { rows, more } = rowsIn(await visit.callAny('GET', things.list.path, { query }))
  const isKnown = chosen.every((id) => rows.some((one) => one.id === id))
  if (more || !isKnown || rows.length === 0) return null
  return rows.map((one) => [String(one.id), offerWords(one)])
}

/** Returns the label of an option. The label of a price begins with its product: `Field Guide, Single`. */
function offerWords(one: Values): string {
  const { product } = one
  return typeof product === 'object' && product !== null ? `${nameOf(product as Values)}, ${nameOf(one)}` : nameOf(one)
}

/** Renders checkboxes with the chosen options first, in their order. Returns null if `offersOf` does. */
async function checksOf({ visit, field, name, id, text, described }: InputOptions): Promise<Page | null> {
  const chosen = text.split('\n').flatMap((line) => line.trim() || [])
  const offers = await offersOf(visit, field, chosen)
  if (offers === null) return null
  const ordered = [
    ...chosen.flatMap((one) => offers.filter(([offered]) => offered === one)),
    ...offers.filter(([offered]) => !chosen.includes(offered)),
  ]
  const boxes = ordered.map(
    ([offered, words]) =>
      html`<label><input type="checkbox" name="${name}" value="${offered}"${chosen.includes(offered) ? html` checked` : ''}> ${words}</label>`,
  )
  return html`<input type="hidden" name="${name}" value=""><div class="checks long-checks" id="${id}" role="group" tabindex="-1"${described}>${boxes}</div>`
}
