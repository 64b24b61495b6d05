import { Controller } from '@hotwired/stimulus'

const STEPS = { ArrowLeft: -1, ArrowRight: 1 }

/** Shows the value at the pointer or focus. Arrow keys move between points, so the whole chart is one tab stop. */
export class Plot extends Controller {
  static targets = ['point', 'link', 'value']

  connect() {
    for (const links of this.#drawings()) this.#reach(links, links.at(-1))
  }

  say({ currentTarget }) {
    this.valueTarget.textContent = currentTarget.querySelector('title').textContent
  }

  move(event) {
    const links = this.#drawings().find((all) => all.includes(event.currentTarget)) ?? []
    const next = this.#next(links, event)
    if (!next) return
    event.preventDefault()
    this.#reach(links, next)
    next.focus()
  }

  #next(links, { key, currentTarget }) {
    if (key === 'Home') return links[0]
    if (key === 'End') return links.at(-1)
    return STEPS[key] && links[links.indexOf(currentTarget) + STEPS[key]]
  }

  #reach(links, one) {
    for (const link of links) link.setAttribute('tabindex', link === one ? '0' : '-1')
  }

  /** The links by drawing; only one drawing is visible. */
  #drawings() {
    return [...Map.groupBy(this.linkTargets, (link) => link.ownerSVGElement).values()]
  }
}
