import { Controller } from '@hotwired/stimulus'
import { application } from 'dashboard/main'

/** Long enough that it does not ask for every letter. */
const PAUSE_MS = 500

/** Shows a post as each network will have it while it is written. The server counts, as each network does. */
class Networks extends Controller {
  static targets = ['shown']

  disconnect() {
    clearTimeout(this.timer)
    this.asked?.abort()
  }

  typed() {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.show(), PAUSE_MS)
  }

  async show() {
    this.asked?.abort()
    this.asked = new AbortController()
    const form = this.element.querySelector('form')
    const body = new URLSearchParams(new FormData(form))
    body.set('do', 'preview')
    try {
      const answer = await fetch(form.action, { method: 'POST', body, signal: this.asked.signal })
      if (!answer.ok) return
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
      this.shownTarget.replaceChildren(...page.body.childNodes)
    } catch (error) {
      if (error.name !== 'AbortError') this.typed()
    }
  }
}

application.register('networks', Networks)
