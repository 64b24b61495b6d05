import { html } from 'hono/html'
import type { Page } from './document.ts'

/** A name with its value. */
export type Fact = readonly [name: string | Page, value: string | Page, more?: FactOptions]

interface FactOptions {
  kind?: string
  /** A line below the value, and its class. */
  note?: { kind: string; words: string | Page }
  /** The Stimulus controller of both. */
  controller?: string
}

/** Names with their values, as a definition list. `kind` is its class, by which it looks; absent facts are left out. */
export function factList(kind: string, facts: readonly (Fact | false | null | undefined)[]): Page {
  return html`<dl class="${kind}">${facts.map((fact) => (fact ? factOf(fact) : ''))}</dl>`
}

/** The facts of a thing, in a card. `label` names them for screen readers. */
export function factCard(label: string, facts: readonly (Fact | false | null | undefined)[]): Page {
  return html`<section class="card" aria-label="${label}">${factList('fields', facts)}</section>`
}

/** A card with a heading, whose id is `id`. */
export function headedCard(id: string, heading: string | Page, content: Page): Page {
  return html`<section class="card" aria-labelledby="${id}"><h2 id="${id}">${heading}</h2>${content}</section>`
}

function factOf([name, value, more = {}]: Fact): Page {
  const { kind, note, controller } = more
  const own = html`${kind ? html` class="${kind}"` : ''}${controller ? html` data-controller="${controller}"` : ''}`
  const below = note ? html`<dd class="${note.kind}">${note.words}</dd>` : ''
  return html`<div${own}><dt>${name}</dt><dd>${value}</dd>${below}</div>`
}
