import { html } from 'hono/html'
import type { Page } from '../../parts/markup.ts'
import type { Choice } from '../kit/pictures.ts'
import { CHANGE } from './nested-form.ts'

/** The form field that records the last move, so that a button of the moved file gets the focus. */
const MOVED = 'moved'

type Verb = 'earlier' | 'later'

export function isMove(verb: string): verb is Verb {
  return verb === 'earlier' || verb === 'later'
}

export function sentFiles(form: URLSearchParams, name: string): string[] {
  const lines = form.getAll(name).flatMap((value) => value.split('\n'))
  return [...new Set(lines.map((line) => line.trim()).filter(Boolean))]
}

export function withMoved(form: URLSearchParams, verb: Verb, name: string, id: string): URLSearchParams {
  const ids = sentFiles(form, name)
  const at = ids.indexOf(id)
  const other = at < 0 ? undefined : ids[verb === 'earlier' ? at - 1 : at + 1]
  const moved = other === undefined ? ids : ids.with(ids.indexOf(other), id).with(at, other)
  const changed = new URLSearchParams(form)
  for (const gone of [CHANGE, name]) changed.delete(gone)
  for (const value of ['', ...moved]) changed.append(name, value)
  changed.set(MOVED, `${verb} ${name} ${id}`)
  return changed
}

interface FileOrder {
  name: string
  chosen: readonly Choice[]
  sent: URLSearchParams | null
}

/** Renders the buttons that move a file. CSS counters show the file's position between them. */
export function moveButtons(order: FileOrder): (choice: Choice) => Page {
  const focus = focusOf(order)
  return ({ value, words }) => {
    const button = (verb: Verb, arrow: string) =>
      html`<button class="small ${verb}" name="${CHANGE}" value="${verb} ${order.name} ${value}" title="Move ${verb}" formnovalidate data-action="order#move" data-order-verb-param="${verb}"${focus === `${verb} ${value}` ? html` autofocus` : ''}><span aria-hidden="true">${arrow}</span><span class="unseen">Move ${words} ${verb}</span></button>`
    return html`<div class="pick-moves">${button('earlier', '←')}<span class="place"></span>${button('later', '→')}</div>`
  }
}

/** Returns a sentence for screen readers about the new position of a moved file; empty if none was moved. */
export function placeWords({ name, chosen, sent }: FileOrder): string {
  const moved = movedIn(sent, name)
  const at = chosen.findIndex(({ value }) => value === moved?.id)
  return at < 0 ? '' : `${chosen[at]!.words} is number ${at + 1} of ${chosen.length} now.`
}

/** Returns the button that gets the focus: the pressed one, or the opposite one if the file cannot move further. */
function focusOf({ name, chosen, sent }: FileOrder): string | null {
  const moved = movedIn(sent, name)
  if (moved === null) return null
  const end = chosen.at(moved.verb === 'earlier' ? 0 : -1)?.value
  const verb = end !== moved.id ? moved.verb : moved.verb === 'earlier' ? 'later' : 'earlier'
  return `${verb} ${moved.id}`
}

function movedIn(sent: URLSearchParams | null, name: string): { verb: string; id: string } | null {
  const [verb = '', list, id = ''] = sent?.get(MOVED)?.split(' ') ?? []
  return list === name ? { verb, id } : null
}
