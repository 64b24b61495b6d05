import { Controller } from '@hotwired/stimulus'

/** Asks for confirmation before someone leaves a form with unsaved changes. */
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

  /** Without a response, the changes are still unsaved. */
  answered({ detail }) {
    if (!detail.success && !detail.fetchResponse) this.dirtyValue = this.wasDirty
  }
}
