import { Controller } from '@hotwired/stimulus'
import { Asking } from 'dashboard/asking'
import { application } from 'dashboard/main'

/** Previews a post for each network while it is being written. The server counts characters by each network's rules. */
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
