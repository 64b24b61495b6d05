import { Controller } from '@hotwired/stimulus'
import { Asking } from 'dashboard/asking'
import { application } from 'dashboard/main'

/** Shows a post as each network will have it while it is written. The server counts, as each network does. */
class Networks extends Controller {
  static targets = ['shown', 'said']

  connect() {
    this.asking = new Asking({
      place: this.shownTarget,
      said: this.saidTarget,
      isWanted: false,
      ask: (signal) => this.ask(signal),
      show: ({ body }) => this.shownTarget.replaceChildren(...body.childNodes),
    })
  }

  disconnect() {
    this.asking.stop()
  }

  typed() {
    this.asking.typed()
  }

  ask(signal) {
    const form = this.element.querySelector('form')
    const body = new URLSearchParams(new FormData(form))
    body.set('do', 'preview')
    return fetch(form.action, { method: 'POST', body, signal })
  }
}

application.register('networks', Networks)
