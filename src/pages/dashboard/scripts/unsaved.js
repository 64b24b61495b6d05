import { Controller } from '@hotwired/stimulus'

/** Asks before somebody leaves a form whose words nothing keeps yet. */
export class Unsaved extends Controller {
  static values = { dirty: Boolean }

  connect() {
    this.beforeUnload = (event) => {
      if (this.dirtyValue) event.preventDefault()
    }
    this.beforeVisit = (event) => {
      if (!this.dirtyValue) return
      if (window.confirm('Leave this page? What you have not saved will be lost.')) this.dirtyValue = false
      else event.preventDefault()
    }
    addEventListener('beforeunload', this.beforeUnload)
    document.addEventListener('turbo:before-visit', this.beforeVisit)
  }

  disconnect() {
    removeEventListener('beforeunload', this.beforeUnload)
    document.removeEventListener('turbo:before-visit', this.beforeVisit)
  }

  typed() {
    this.dirtyValue = true
  }

  sent() {
    this.wasDirty = this.dirtyValue
    this.dirtyValue = false
  }

  /** Nothing came back: the words are still here alone. */
  answered({ detail }) {
    if (!detail.success && !detail.fetchResponse) this.dirtyValue = this.wasDirty
  }
}
