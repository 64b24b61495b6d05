import { Controller } from '@hotwired/stimulus'

const STEPS = { ArrowLeft: -1, ArrowRight: 1 }

/** Says the value that the pointer or the focus is at. Arrow keys go from point to point, so that the tabulator key passes them in one step. */
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

  /** The links of each drawing, of which one is shown. */
  #drawings() {
    return [...Map.groupBy(this.linkTargets, (link) => link.ownerSVGElement).values()]
  }
}
