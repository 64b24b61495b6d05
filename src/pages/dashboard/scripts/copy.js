import { Controller } from '@hotwired/stimulus'

const SHOWN_MS = 2000

/** Copies a text. The button is hidden without scripts. */
export class Copy extends Controller {
  static targets = ['source', 'button']

  connect() {
    for (const button of this.buttonTargets) button.hidden = false
  }

  async copy({ currentTarget: button }) {
    await navigator.clipboard.writeText(this.sourceTarget.textContent.trim())
    const words = button.textContent
    button.textContent = 'Copied'
    setTimeout(() => {
      button.textContent = words
    }, SHOWN_MS)
  }
}
