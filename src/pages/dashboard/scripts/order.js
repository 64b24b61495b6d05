import { Controller } from '@hotwired/stimulus'

/** Thumbnails that are chosen in an order. The buttons that change it work here at once, and elsewhere by the server. */
export class Order extends Controller {
  static targets = ['said']

  move(event) {
    event.preventDefault()
    const { verb } = event.params
    const pick = event.currentTarget.closest('.pick')
    const chosen = this.chosen()
    const other = chosen[chosen.indexOf(pick) + (verb === 'earlier' ? -1 : 1)]
    // It is the other one that moves, so that the button keeps the focus.
    if (other) verb === 'earlier' ? pick.after(other) : pick.before(other)
    this.finish(pick, verb)
  }

  /** The button at the end of its way is hidden, so the other one takes the focus. */
  finish(pick, verb) {
    const chosen = this.chosen()
    const at = chosen.indexOf(pick)
    const isEnd = at === (verb === 'earlier' ? 0 : chosen.length - 1)
    const next = isEnd ? (verb === 'earlier' ? 'later' : 'earlier') : verb
    pick.querySelector(`button.${next}`).focus()
    pick.scrollIntoView({ block: 'nearest' })
    const words = pick.querySelector('.pick-words').textContent.trim()
    this.saidTarget.textContent = `${words} is number ${at + 1} of ${chosen.length} now.`
    this.element.dispatchEvent(new Event('change', { bubbles: true }))
  }

  chosen() {
    return [...this.element.querySelectorAll('.pick')].filter((pick) => pick.querySelector(':checked'))
  }
}
