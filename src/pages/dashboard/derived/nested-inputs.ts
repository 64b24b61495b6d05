import { html } from 'hono/html'
import { describedBy, field, optionTags, type Page, type Problem, problemsAt } from '../../parts/markup.ts'
import type { FormView } from '../kit/visit.ts'
import { fieldTitle, valueTitle } from '../kit/words.ts'
import type { Listed, Shape, ShapePart } from './control-kind.ts'
import { editor } from './editor.ts'
import { knownInList } from './known-values.ts'
import { ADDED, CHANGE, marksName, marksOf } from './nested-form.ts'
import { inputId, partWords, plainPath } from './part-words.ts'
import { type OfferedPictures, pictureInList } from './text-pictures.ts'

interface NestedContext {
  /** The prefix of the names of the inputs. */
  name: string
  /** The path of the value in error messages, which contains the positions of entries instead of their marks. */
  path: string
  form: URLSearchParams
  problems: readonly Problem[]
  words?: FormView['parts']
  /** The picture chooser that a person opened for a text of the list. */
  offered: OfferedPictures | null
}

export function nestedInputs(shape: Shape, place: NestedContext): Page {
  switch (shape.kind) {
    case 'group':
      return html`<div class="group">${parts(shape.parts, place)}</div>`
    case 'groups':
      return groups(shape, place)
    case 'choices':
      return choices(shape.values, place)
    default:
      return html``
  }
}

function parts(all: ShapePart[], { name, path, ...rest }: NestedContext): Page {
  return html`${all.map((part) => labelled(part, { ...rest, name: `${name}.${part.name}`, path: `${path}.${part.name}` }))}`
}

function labelled({ shape, required }: ShapePart, place: NestedContext): Page {
  const { path, form, problems } = place
  const id = inputId(path)
  if (shape.kind === 'hidden') {
    const value = form.get(place.name)
    return value === null ? html`` : html`<input type="hidden" name="${place.name}" value="${value}">`
  }
  const own = partWords(path, place.words)
  const words = own.label ?? titleOf(path)
  if (shape.kind === 'flag') return checkbox(words, shape.fallback, place)
  if (shape.kind === 'group' || shape.kind === 'groups' || shape.kind === 'choices')
    return html`<fieldset class="inner" id="${id}"><legend>${words}</legend>${problemsAt(problems, id)}${nestedInputs(shape, place)}</fieldset>`
  const label = html`${words}${required ? '' : html` <span class="optional">optional</span>`}`
  const hint = own.hint ?? (shape.kind === 'texts' ? 'One per line.' : '')
  const isBroad = shape.kind === 'texts' || shape.kind === 'long' || shape.kind === 'rich'
  const one = field({
    id,
    label,
    hint,
    problems,
    input: () => input({ shape, required }, place, id, describedBy(id, hint, problems)),
  })
  return isBroad ? html`<div class="broad">${one}</div>` : one
}

function titleOf(path: string): string {
  const last = path.split('.').at(-1) ?? ''
  return fieldTitle(last.replace(/(?<=[a-z])(?=\d)/, '_'))
}

function checkbox(words: string, fallback: boolean, { name, path, form }: NestedContext): Page {
  const checked = isAdded(form, name) ? fallback : form.get(name) === 'true'
  return html`<p class="check"><label><input type="checkbox" id="${inputId(path)}" name="${name}" value="true"${checked ? html` checked` : ''}> ${words}</label></p>`
}

function isAdded(form: URLSearchParams, name: string): boolean {
  const added = form.get(ADDED)
  return added !== null && name.startsWith(`${added}.`)
}

function choices(values: string[], { name, path, form }: NestedContext): Page {
  const chosen = form.getAll(name)
  return html`<div class="checks" id="${inputId(path)}">${values.map(
    (value) =>
      html`<label><input type="checkbox" name="${name}" value="${value}"${chosen.includes(value) ? html` checked` : ''}> ${valueTitle(value)}</label>`,
  )}</div>`
}

function input(
  { shape, required }: Omit<ShapePart, 'name'>,
  { name, path, form, offered }: NestedContext,
  id: string,
  described: Page,
): Page {
  const text = form.get(name) ?? ''
  const basics = html`id="${id}" name="${name}"${described}`
  const known = knownInList(plainPath(path))
  if (known) return knownSelect([['', required ? 'Choose…' : 'Not set'], ...known], text, basics)
  switch (shape.kind) {
    case 'choice': {
      const first = shape.optional ? html`<option value="">Not set</option>` : ''
      const options = optionTags(
        shape.values.map((value) => [value, valueTitle(value)]),
        text,
      )
      return html`<select ${basics}>${first}${options}</select>`
    }
    case 'rich':
      return editor({ text, basics, label: id, picture: pictureInList(name, offered) })
    case 'texts':
    case 'long':
      return html`<textarea rows="3" ${basics}>
${text}</textarea>`
    case 'moment':
      return html`<input type="datetime-local" value="${text}" ${basics}>`
    case 'number':
      return html`<input type="text" inputmode="decimal" autocomplete="off" value="${text}" ${basics}>`
    case 'address':
      return html`<input type="url" value="${text}" ${basics}>`
    case 'email':
      return html`<input type="email" autocomplete="off" value="${text}" ${basics}>`
    default:
      return html`<input type="text" value="${text}" ${basics}>`
  }
}

/** Renders a select of known values. The current value is added to the options if it is not among them. */
function knownSelect(known: [value: string, words: string][], text: string, basics: Page): Page {
  const other: typeof known = known.some(([value]) => value === text) ? [] : [[text, text]]
  return html`<select ${basics}>${optionTags([...known, ...other], text)}</select>`
}

/** Renders the entries of a list. Their buttons submit the form to its own page, so they work without scripts. */
function groups({ parts: all, most }: Listed, place: NestedContext): Page {
  const { name, path, ...rest } = place
  const { form, problems } = rest
  // Keeps one more entry than allowed, so that the operation refuses the list.
  const marks = marksOf(form, name).slice(0, most + 1)
  const one = partWords(path, rest.words).entry ?? entryTitle(path)
  const entries = marks.map((mark, index) => {
    const words = `${one} ${index + 1}`
    const added = form.get(ADDED) === `${name}.${mark}`
    const inner = { ...rest, name: `${name}.${mark}`, path: `${path}.${index}` }
    return html`<fieldset class="entry" id="${inputId(inner.path)}"${added && index > 0 ? html` tabindex="-1" autofocus` : ''}><legend>${words}</legend>
<div class="entry-buttons">${index > 0 ? move('up', words, name, mark) : ''}${index < marks.length - 1 ? move('down', words, name, mark) : ''}${move('remove', words, name, mark)}</div>
${problemsAt(problems, inputId(inner.path))}${parts(all, inner)}</fieldset>`
  })
  const add =
    marks.length < most
      ? html`<button class="small" name="${CHANGE}" value="add ${name}" formnovalidate>Add ${one.toLowerCase()}</button>`
      : ''
  return html`<div class="entries"><input type="hidden" name="${marksName(name)}" value="${marks.join(' ')}">${entries}${add}</div>`
}

const MOVES = { up: 'Move up', down: 'Move down', remove: 'Remove' }

function move(verb: keyof typeof MOVES, words: string, name: string, mark: string): Page {
  return html`<button class="small quiet" name="${CHANGE}" value="${verb} ${name} ${mark}" formnovalidate>${MOVES[verb]}<span class="unseen"> ${words.toLowerCase()}</span></button>`
}

/** Returns the label of a list's entries: `members` becomes `Member`, and `chapters.0.lessons` becomes `Lesson`. */
function entryTitle(path: string): string {
  const last = path.split('.').at(-1) ?? ''
  return fieldTitle(last.replace(/ies$/, 'y').replace(/s$/, ''))
}
