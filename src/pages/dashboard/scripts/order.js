import { Controller } from '@hotwired/stimulus'

/** Reorders chosen thumbnails in the browser. Without scripts, the buttons submit the form to the server. */
export class Order extends Controller {
  static targets = ['said']

  move(event) {
    event.preventDefault()
    const { verb } = event.params
    const pick = event.currentTarget.closest('.pick')
    const chosen = this.chosen()
    const other = chosen[chosen.indexOf(pick) + (verb === 'earlier' ? -1 : 1)]
    // Move the other thumbnail, so that the button keeps the focus.
    if (other) verb === 'earlier' ? pick.after(other) : pick.before(other)
    this.finish(pick, verb)
  }

  /** At either end the pressed button becomes hidden, so the opposite one takes the focus. */
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
